"""The search of the specification without an index: read every page of the folder, compare, print the best five.

A script without any code of rtckb, as fast as a simple one can be: no YAML parser, one pass, sets of characters. The
entries of a page count as the page, so it does less than the specification wants.
"""

import os
import re
import sys
import unicodedata

TOKEN = re.compile(r"[a-z0-9_]+|[\u3400-\u9fff\uf900-\ufaff]")
FIELD = re.compile(r"^(title|tags|root_cause|solution|track_type):[ \t]*(.*)$", re.MULTILINE)
SYMPTOM = re.compile(r"\*\*现象\*\*[：:]?(.*?)(?=\n\*\*|\n#|\Z)|## 问题描述(.*?)(?=\n#|\Z)", re.DOTALL)


def tokens(text: str) -> set[str]:
    """The specification's tokens."""
    return set(TOKEN.findall(unicodedata.normalize("NFKC", text).lower()))


def jaccard(one: set[str], other: set[str]) -> float:
    """Their similarity."""
    return len(one & other) / len(one | other) if one or other else 0.0


def main() -> None:
    """``scan_files.py FOLDER QUERY [TAG...]``."""
    folder, query, *tags = sys.argv[1:]
    title, wanted = tokens(query), tokens(" ".join(tags))
    found = []
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".md"):
                path = os.path.join(place, name)  # noqa: PTH118  # as fast as can be
                with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
                    text = file.read()
                fields = dict(FIELD.findall(text))
                symptom = SYMPTOM.search(text)
                tokens(fields.get("root_cause", "") + fields.get("solution", ""))
                score = 0.6 * jaccard(wanted, tokens(fields.get("tags", "")))
                score += 0.4 * jaccard(title, tokens(fields.get("title", "")))
                found.append((score, jaccard(title, tokens(symptom[0] if symptom else "")), path))
    for score, _, path in sorted(found, reverse=True)[:5]:
        print(f"{score:.2f} {path}")


if __name__ == "__main__":
    main()
