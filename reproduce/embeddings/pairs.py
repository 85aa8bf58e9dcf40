"""Two people in one text: the sentences of two biographies in turn. Gold are the first one's spans, and whatever both share."""
import json
import re
import sys

# A full stop ends a sentence unless it follows an initial or a common abbreviation.
END = re.compile(r"(?<![A-Z])(?<!\bJr)(?<!\bSr)(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bvs)(?<!\bSt)(?<!\bNo)[.!?]\"?(?=\s|[A-Z])")


def sentences(text):
    ends = [match.end() for match in END.finditer(text)] + [len(text)]
    start = 0
    for end in ends:
        while start < end and text[start].isspace():
            start += 1
        if start < end:
            yield start, end
        start = end


def pair(first, second):
    shared = {first["text"][s[0]:s[1]].strip().lower() for s in first["spans"]}
    text, spans = "", []
    both = [list(sentences(first["text"])), list(sentences(second["text"]))]
    for at in range(max(map(len, both))):
        for row, parts in zip((first, second), both):
            if at >= len(parts):
                continue
            start, end = parts[at]
            text += " " if text else ""
            by = len(text) - start
            text += row["text"][start:end]
            for s, e, *_ in row["spans"]:
                if s >= start and e <= end and (row is first or row["text"][s:e].strip().lower() in shared):
                    spans.append([s + by, e + by])
    return {"id": f"{first['id']}+{second['id']}", "entity": first["entity"], "text": text, "spans": spans}


if __name__ == "__main__":
    rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf8")]
    # Each with the four that follow it, so that near and far ones meet.
    for at, row in enumerate(rows):
        for step in range(1, 5):
            print(json.dumps(pair(row, rows[(at + step) % len(rows)]), ensure_ascii=False))
