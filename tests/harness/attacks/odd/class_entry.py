"""The entry point is a class that makes lists instead of itself."""


class runs:
    def __new__(cls, text):
        self = super().__new__(cls)
        self.found = []
        for character in text:
            self.add(character)
        return self.found

    def add(self, character):
        match self.found:
            case [*_, (last, count)] if last == character:
                self.found[-1] = (last, count + 1)
            case _:
                self.found.append((character, 1))
