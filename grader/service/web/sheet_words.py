"""What the script of the answer sheet says, in the reader's language."""

from __future__ import annotations

from grader.service.web.texts import Texts

NONE_WORDS = {"en": "none", "pt": "nenhuma", "es": "ninguna", "fa": "هیچ‌کدام"}
"""By language, what is written for "nothing"; all of them are read."""
PREFIX = "page.sheet.script."
FSI, PDI = "\u2068", "\u2069"


def script_texts(texts: Texts) -> dict[str, list[str]]:
    """By key the plural forms of a sentence, mostly one, with the names of its facts in braces."""
    return {
        key.removeprefix(PREFIX): [_template(form, texts.direction == "rtl") for form in forms]
        for catalogue in texts.catalogues
        for key, forms in catalogue.forms.items()
        if key.startswith(PREFIX)
    }


def _template(pieces: tuple[tuple[str, str | None], ...], apart: bool) -> str:
    """Facts are kept apart from a text of the other direction."""
    before, after = (FSI, PDI) if apart else ("", "")
    return "".join(text if name is None else f"{text}{before}{{{name}}}{after}" for text, name in pieces)
