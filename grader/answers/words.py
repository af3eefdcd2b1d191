"""The words of answers in English, Portuguese, Spanish and Persian, and what they mean.

A meaning is a sign (`<=`), or a word in capitals. Phrases are listed with spaces; accents and joiners do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from grader.answers.signs import folded, plain_word

INF, MINUS, PLUS, IS = "INF", "MINUS", "PLUS", "IS"
OR, AND, IN, NOT_IN, ALL, NONE, REALS, WITHOUT = "OR", "AND", "IN", "NOT_IN", "ALL", "NONE", "REALS", "WITHOUT"
OR_LESS, OR_MORE, AT_MOST, AT_LEAST = "OR_LESS", "OR_MORE", "AT_MOST", "AT_LEAST"
ABOUT, PERCENT = "ABOUT", "PERCENT"

_LISTED = {
    INF: "∞; inf; infinity; infinite; infty; \\infty; oo; infinito; infinita; infinitos; بی‌نهایت; بی نهایت",
    MINUS: "minus; negative; menos; negativo; منفی; منهای",
    PLUS: "plus; positive; mais; más; positivo; مثبت",
    # They may also follow their number: `2 at most`.
    AT_MOST: "at most; at - most; no máximo; como máximo; a lo sumo; como mucho; حداکثر",
    AT_LEAST: "at least; at - least; no mínimo; pelo menos; ao menos; al menos; por lo menos; como mínimo; حداقل;"
    "دست کم; دست‌کم",
    "<=": "no more than; not more than; less than or equal to; less than or equal; less or equal; \\le; \\leq;"
    "\\leqslant; menor ou igual a; menor ou igual que; menor ou igual; não mais que;"
    "menor o igual que; menor o igual a; menor o igual; no más de; no más que; کوچکتر یا مساوی;"
    "کوچک‌تر یا مساوی با; کمتر یا مساوی; کمتر یا برابر; کوچکتر یا برابر; کمتر مساوی; کوچکتر مساوی; نه بیشتر از",
    ">=": "no less than; not less than; greater than or equal to; greater than or equal; greater or equal;"
    "more than or equal to; \\ge; \\geq; \\geqslant; maior ou igual a;"
    "maior ou igual que; maior ou igual; mayor o igual que; mayor o igual a;"
    "mayor o igual; no menos de; no menos que; بزرگتر یا مساوی; بزرگ‌تر یا مساوی با;"
    "بیشتر یا مساوی; بیشتر یا برابر; بزرگتر یا برابر; بیشتر مساوی; بزرگتر مساوی; نه کمتر از",
    "<": "less than; smaller than; lower than; below; \\lt; menor que; menor do que; menos que; menor a; inferior a;"
    "کمتر از; کوچکتر از",
    ">": "greater than; more than; larger than; bigger than; above; \\gt; maior que; maior do que; mais que;"
    "superior a; mayor que; más que; mayor a; بیشتر از; بزرگتر از",
    "=": "equals; equal to; igual a; igual; برابر; برابر با; مساوی; مساوی با",
    "!=": "not equal to; not equal; different from; other than; \\ne; \\neq; diferente de; distinto de; distinta de;"
    "diferente a; نامساوی; نابرابر; مخالف; غیر از",
    OR_LESS: "or less; or fewer; or lower; or below; ou menos; ou menor; o menos; o menor; یا کمتر; یا کوچکتر",
    OR_MORE: "or more; or greater; or larger; or higher; or above; ou mais; ou maior; o más;"
    "o mayor; یا بیشتر; یا بزرگتر",
    IS: "is; is worth; é; es; vale; era; está; است; می‌باشد; مقدار",
    OR: "or; ou; o; u; یا; ∪; ∨; union; \\cup; \\lor; união; unión; اجتماع",
    AND: "and; e; y; و; ∩; ∧; \\cap; \\land",
    IN: "in; ∈; \\in; em; en; در; belongs to; is in; pertence a; pertenece a; está em; está en",
    NOT_IN: "∉; not in; is not in; \\notin; não pertence a; no pertenece a",
    ALL: "all; every; any; always; for all; for every; for any; everything; ∀; \\forall; todo; toda; todos; todas;"
    "todos os; todas las; todos los; para todo; para todos; qualquer; para qualquer; sempre; cualquier; cualquiera;"
    "para cualquier; siempre; tudo; همه; همه ی; هر; برای هر; برای همه; همیشه; همواره",
    REALS: "R; ℝ; reals; real; real number; real numbers; numbers; number; values; value; os reais; reais;"
    "números reais; valores; valor; los reales; reales; números reales; real value; real values; اعداد حقیقی; مقادیر;"
    "values of; value of; valores de; valor de; مقدار; valores reais; valores reales; عدد; عدد حقیقی; حقیقی",
    NONE: "none; no; never; nothing; nil; empty; empty set; the empty set; no value; no values; no value of; ∅; ⌀; ø;"
    "\\emptyset; no values of; nenhum valor de; ningún valor de;"
    "\\varnothing; nenhum; nenhuma; nenhum valor; nunca; nada; vazio; conjunto vazio; ninguno; ninguna; ningún;"
    "ningún valor; vacío; conjunto vacío; jamás; هیچ; هیچ‌کدام; هیچ کدام; هیچ‌یک; هیچ یک; "
    "هیچ مقداری; هرگز; تهی; مجموعه تهی",
    ABOUT: "≈; ~; ∼; ≅; ≃; \\approx; \\sim; about; approximately; approx; approx .; around; roughly; ca; ca .;"
    "cerca de; aproximadamente; aprox; aprox .; por volta de; alrededor de; حدود; تقریبا",
    PERCENT: "%; ٪; percent; per cent; por cento; por ciento; درصد",
    WITHOUT: "∖; \\; \\setminus; except; exceto; excepto; menos; به جز; بجز",
}

UNVISITED_WORDS = (
    "×; ✕; ✖; ✗; ✘; ✂; unvisited; not visited; never visited; unevaluated; not evaluated; pruned; pruned away; cut off;"
    "nó podado; nodo podado; nó ainda não alcançado; nodo aún no alcanzado;"
    "not reached; unreached; skipped; n/a; podado; podada; podados; podadas; não visitado; não visitada; não avaliado;"
    "não avaliada; não alcançado; no visitado; no visitada; no evaluado; no evaluada; no alcanzado; هرس; هرس شده;"
    "هرس شد; هرس‌شده; حذف شده; بازدید نشده; دیده نشده; ملاقات نشده; بررسی نشده; ارزیابی نشده"
)
TRUE_WORDS = (
    "yes; y; true; t; 1; right; correct; sim; s; verdadeiro; verdadeira; v; certo; certa; correto; correta; sí;"
    "verdadero; verdadera; cierto; correcto; correcta; بله; بلی; آری; درست; صحیح; ص; ✓; ✔; ✅; ☑"
)
FALSE_WORDS = (
    "no; n; false; f; 0; wrong; incorrect; não; falso; falsa; errado; errada; incorreto; incorreta; incorrecto;"
    "incorrecta; خیر; نه; نادرست; غلط; غ; ✗; ✘; ❌; ☒; ✖"
)
ALPHA_WORDS = "α; alpha; alfa; a; \\alpha; low; lo; آلفا"
BETA_WORDS = "β; beta; b; \\beta; high; hi; بتا"
TOTAL_WORDS = (
    "wins; win; w; total; u; q; utility; result; results; reward; vitórias; vitorias; resultado; resultados; victorias;"
    "ganadas; برد; بردها; نتیجه; مجموع"
)
VISITS_WORDS = "visits; visit; n; playouts; games; visitas; partidas; simulações; simulaciones; بازدید; بازدیدها; تعداد"
OF_WORDS = "of; out of; de; از"
FAILURE_WORDS = (
    "failure; fail; fails; no plan; there is no plan; falha; sem plano; não há plano; nenhum plano; fallo; fracaso;"
    "sin plan; no hay plan; ningún plan; شکست; بدون نقشه; بدون طرح; بدون برنامه; طرحی وجود ندارد; طرحی نیست;"
    "نقشه‌ای وجود ندارد; برنامه‌ای وجود ندارد"
)
COUNTED_WORDS = (
    "leaf; leaves; node; nodes; folha; folhas; nó; nós; hoja; hojas; nodo; nodos; برگ; برگ‌ها; گره; گره‌ها; evaluated;"
    "visited; pruned; avaliada; avaliadas; avaliados; visitada; visitadas; visitados; podada; podadas; podados;"
    "evaluada; evaluadas; evaluados; ارزیابی‌شده; ارزیابی شده; دیده‌شده; هرس‌شده; شده; ارزیابی; هرس; است; are;"
    "is; são; son"
)
"""What may stand behind a count."""
NUMERAL_WORDS = (
    "zero; one; two; three; four; five; six; seven; eight; nine; ten; eleven; twelve",
    "zero; um; dois; três; quatro; cinco; seis; sete; oito; nove; dez; onze; doze",
    "cero; uno; dos; tres; cuatro; cinco; seis; siete; ocho; nueve; diez; once; doce",
    "صفر; یک; دو; سه; چهار; پنج; شش; هفت; هشت; ; ده; یازده; دوازده",
    "; uma; duas; ; ; ; ; ; ; ; ; ; ",
    "; una; ; ; ; ; ; ; ; ; ; ; ",
)
"""From 0 on. In Persian, nine is spelt as no is."""
RUN_WORDS = (
    "to; up to; through; thru; until; till; ..; ...; …; -; –; —; −; a; à; ao; até; até a; até o; até à; al; hasta;"
    "hasta el; hasta la; تا"
)
"""Between the ends of a run."""
FROM_WORDS = "from; de; da; do; del; desde; desde el; desde a; از"
ONWARDS_WORDS = (
    "onwards; onward; on; and on; and onwards; and after; and beyond; em diante; para a frente; en adelante; adelante;"
    "به بعد"
)
RELATING_WORDS = (
    "after; before; between; from; to; through; until; till; onwards; onward; beyond; below; above; under; rest; all;"
    "every; everything; other; others; remaining; depois; antes; entre; após; até; desde; diante; abaixo; acima; resto;"
    "tudo; todos; todas; todo; toda; demais; outros; outras; restantes; después; hasta; tras; adelante; debajo; encima;"
    "otros; otras; پس; بعد; پیش; قبل; بین; تا; از; همه; بقیه; زیر; بالا; دیگر"
)
"""Beside names that cannot be told from them what is meant."""
NOUN_WORDS = (
    "leaf; leaves; node; nodes; the; move; moves; branch; folha; folhas; nó; nós; as; os; jogada; jogadas; ramo; hoja;"
    "hojas; nodo; nodos; las; los; la; el; jugada; jugadas; rama; برگ; برگ‌ها; برگ‌های; برگهای; گره; گره‌ها; گره‌های; حرکت;"
    "شاخه"
)
NOTHING_FILL_WORDS = (
    f"{NOUN_WORDS}; {COUNTED_WORDS}; be; was; were; gets; get; cut; cuts; off; out; left; pruning; skipped; there;"
    "here; removed; at; all; é; foi; há; se; poda; podas; podam; podou; podado; corte; cortes; cortada; cortado; aqui;"
    "de; fora; es; hay; fue; podan; podó; recorta; aquí; برگی; گره‌ای; شاخه‌ای; نمی‌شود; نمیشود; نمی; شود; نشد; نشده;"
    "وجود; ندارد; نیست; هرسی; را; هم"
)
WITHOUT_ANY_WORDS = "sem; sin; não; without; بدون; نمی‌شود"
IF_WORDS, THEN_WORDS, ELSE_WORDS = (
    "if; se; si; اگر",
    "then; então; entonces; آنگاه; آن‌گاه",
    "else; senão; si no; sino; وگرنه",
)


def phrase(text: str) -> str:
    """Words as they are compared: plain, one space between."""
    return " ".join(plain_word(word) for word in text.split())


def vocabulary(listed: str) -> frozenset[str]:
    return frozenset(phrase(entry) for entry in listed.split(";"))


def _table() -> Mapping[str, str]:
    """Every phrase with its accents and without; where that joins two (`é`, `e`), the one written so holds.

    Of two meanings of one phrase (`menos`: minus, without) the first listed holds; the reader knows the other."""
    found: dict[str, str] = {}
    for spelled in (folded, phrase):
        for meaning, entries in _LISTED.items():
            for entry in entries.split(";"):
                found.setdefault(" ".join(spelled(entry).split()), meaning)
    return MappingProxyType(found)


def meaning_of(words: Sequence[str]) -> str | None:
    """What words mean together; with their accents if that is a phrase."""
    exact = MEANINGS.get(" ".join(map(folded, words)))
    return exact or MEANINGS.get(" ".join(map(plain_word, words)))


MEANINGS = _table()
LONGEST_PHRASE = max(len(entry.split()) for entry in MEANINGS)
UNVISITED_SET, TRUE_SET, FALSE_SET = map(vocabulary, (UNVISITED_WORDS, TRUE_WORDS, FALSE_WORDS))
ALPHA_SET, BETA_SET, TOTAL_SET, VISITS_SET = map(vocabulary, (ALPHA_WORDS, BETA_WORDS, TOTAL_WORDS, VISITS_WORDS))
COUNTED_SET = vocabulary(COUNTED_WORDS)
NUMERALS = MappingProxyType(
    {phrase(word): size for listed in NUMERAL_WORDS for size, word in enumerate(listed.split(";")) if word.strip()}
)
OF_SET, FAILURE_SET = map(vocabulary, (OF_WORDS, FAILURE_WORDS))
IF_SET, THEN_SET, ELSE_SET = map(vocabulary, (IF_WORDS, THEN_WORDS, ELSE_WORDS))
RUN_SET, FROM_SET, ONWARDS_SET = map(vocabulary, (RUN_WORDS, FROM_WORDS, ONWARDS_WORDS))
RELATING, NOUNS, NOTHING_FILL = map(vocabulary, (RELATING_WORDS, NOUN_WORDS, NOTHING_FILL_WORDS))
WITHOUT_ANY = vocabulary(WITHOUT_ANY_WORDS)
NONE_SET = vocabulary(_LISTED[NONE])
AND_SET = vocabulary(_LISTED[AND])
DENYING = vocabulary("not; isn't; não; nem; ni; never; نه; نیست")
EXCEPTING = vocabulary("no; except; but; without; exceto; menos; salvo; sem; excepto; sin; بجز; به‌جز; غیر")
"""Beside names these say something else than the names; `no` is Spanish."""
