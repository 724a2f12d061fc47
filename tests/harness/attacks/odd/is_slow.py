"""Takes many times as long as the reference, but far from for ever."""


def runs(text):
    total = 0
    for number in range(200_000):
        total += number
    found = []
    for index, character in enumerate(text):
        if index == 0 or text[index - 1] != character:
            count = 0
            while text[index : index + count + 1] == character * (count + 1) and index + count < len(text):
                count += 1
            found.append((character, count))
    return found
