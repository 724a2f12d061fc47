"""Has names, comments and texts in many alphabets, and tabs where others have spaces."""
# Прибавляем по одному; 同じ文字を数える; ÄÖÜ ß ½ ∑ 🙂 .


def runs(текст):
	結果 = []
	for ñ in текст:
		if 結果 and 結果[-1][0] == ñ:
			結果[-1] = (ñ, 結果[-1][1] + 1)
		else:
			結果.append((ñ, 1))
	return 結果


ПРИМЕР = {"🙂": "\N{GREEK SMALL LETTER ALPHA}", "‮": "\u202e"}
