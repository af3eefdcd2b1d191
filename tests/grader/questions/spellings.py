"""Right and wrong answers as students spell them, by exercise and question. Two spaces part the spellings of a line."""

from __future__ import annotations

from typing import Any

GAMES: dict[str, dict[str, Any]] = {
    "two-ply": {"tree": [["3", "12", "8"], ["2", "4", "6"], ["14", "5", "2"]]},
    # One move is cut short by L4, so that a whole row of leaves is left out.
    "wide": {"tree": [["9", "9.5", "10"], ["1.5", "4", "6", "7", "8.5", "11", "12"]]},
    "plain": {"tree": [["1", "2"], ["3", "4"]]},
    # A leaf worth 5 that is not L5.
    "fives": {"tree": [["8", "12", "5"], ["2", "4", "6"], ["14", "15", "16"]]},
    "third": {
        "tree": {
            "turn": "max",
            "children": [
                {"turn": "chance", "children": ["1", "2", "4"]},
                {"turn": "chance", "children": ["0", "1", "3/2"]},
            ],
        }
    },
    "odd": {"tree": [["-5.125", "-3"], ["-6", "-7"]]},
    "players": {
        "players": ["A", "B", "C"],
        "tree": [[["1", "2", "6"], ["4", "3", "3"]], [["6", "1", "2"], ["7", "4", "1"]]],
    },
    "unknowns": {"unknowns": ["x", "y"], "tree": [["3", "12"], ["x", "4"], ["y", "5"]]},
    "unknown": {"unknowns": ["x"], "tree": [["3", "12", "8"], ["x", "4", "6"]]},
    "estimates": {
        "tree": {
            "turn": "max",
            "estimate": "0",
            "children": [
                {"turn": "min", "estimate": "5", "children": ["1", "7"]},
                {"turn": "min", "estimate": "4", "children": ["3", "6"]},
            ],
        }
    },
    "statistics": {
        "mcts": {"exploration": "1.4", "playouts": ["1"]},
        "tree": {
            "turn": "max",
            "visits": "9",
            "total": "5",
            "children": [
                {"turn": "min", "visits": "6", "total": "4", "children": ["1", "0"]},
                {"turn": "min", "visits": "3", "total": "1", "children": ["0", "1"]},
            ],
        },
    },
    "plan": {
        "tree": {
            "id": "s0",
            "turn": "or",
            "children": [
                {
                    "move": "go",
                    "turn": "and",
                    "children": [
                        {"id": "s1", "turn": "or", "children": [{"move": "fix", "value": "true"}]},
                        {"id": "s2", "value": "true"},
                    ],
                }
            ],
        }
    },
}

Spellings = list[tuple[str, dict[str, Any], list[Any], list[Any]]]
"""The game, the question, what is right and what is not."""


def _(texts: str) -> list[str]:
    return [text for line in texts.strip().splitlines() for text in line.strip().split("  ") if text]


SPELLINGS: Spellings = [
    (
        "two-ply",
        {"ask": "values", "of": "search"},
        [
            *_("""
            A=3, B=3, C=2, D=2  A = 3, B = 3, C = 2, D = 2  A: 3, B: 3, C: 2, D: 2  A:3;B:3;C:2;D:2
            A=3; B=3; C<=2; D=2  A=3 B=3 C=2 D=2  A: 3 B: 3 C: ≤ 2 D: 2  {A: 3, B: 3, C: 2, D: 2}
            a=3, b=3, c=2, d=2  A=۳، B=۳، C=۲، D=۲  v(A)=3, v(B)=3, v(C)=2, v(D)=2  A=3, B=3, C≤2, D=2
            A=3; B=3; C=at most 2; D=2  D=2, C=2, B=3, A=3  A = 3.0; B = 3,0; C = 2; D = 4/2  A=３, B=３, C=２, D=２
            \u2067A=۳، B=۳، C=۲، D=۲\u2069  A := 3, B := 3, C := 2, D := 2  A=3, B=3, C=2, D=2.
            A=+3, B=3, C=(-inf, 2], D=2  A = 3 , B = 3 , C =< 2 , D = 2
            """),
            {"A": "3", "B": "3", "C": "2", "D": "2"},
            {"a": "3", "b": "3", "c": "<= 2", "d": "2"},
            {" A ": "3", "B.": "3", "C": "at-most 2", "D": "2"},
            [{"A": "3"}, {"B": "3"}, {"C": "2"}, {"D": "2"}],
            ["A=3", "B=3", "C=2", "D=2"],
            *(
                {"A": "3", "B": "3", "C": text, "D": "2"}
                for text in _("""
                2  <=2  ≤2  ⩽ 2  ≦2  =<2  C<=2  C ≤ 2  2 >= C  2 or less  at most 2  at-most 2  (-inf, 2]  [-∞, 2]
                (−∞؛ ۲]  ]-inf, 2]  v <= 2  v(C) <= 2  no more than 2  no máximo 2  como máximo 2  حداکثر ۲  ≤ ۲
                2 ou menos  C is 2  C = 2  <= 2.0  2.  less than or equal to 2  = 2  C é 2  C es 2
                """)
            ),
        ],
        [
            *_("""
            3, 3, 2, 2  A=3, B=3, C>=2, D=2  A=3, B=3, C<2, D=2  A=3, B=3, C=3, D=2  A=3, B=3, C=2
            A=3, A=3, B=3, C=2, D=2  A=3, B=3, C=not 2, D=2  A=3, B=3, C=2 3, D=2  A=3, B=3, C=(2, inf), D=2
            A=3, B=3, C=[2, inf), D=2  A=3, B=3, CC=2, D=2  see my drawing
            """),
        ],
    ),
    (
        "two-ply",
        {"ask": "windows", "at": "entry"},
        [
            *_("""
            A: (-inf, inf), B: (-inf, inf), C: (3, inf), D: (3, inf)  A: (−∞, ∞); B: (−∞, ∞); C: (3, ∞); D: (3, ∞)
            A=(-inf,inf), B=(-inf,inf), C=(3,inf), D=(3,inf)  A: (−∞; ∞) B: (−∞; ∞) C: (3; ∞) D: (3; ∞)
            A: [-inf, inf], B: [-inf, inf], C: [3, inf], D: [3, inf]
            A: (−∞، +∞)، B: (−∞، +∞)، C: (۳، +∞)، D: (۳، +∞)
            A: α=-inf, β=inf; B: α=-inf, β=inf; C: α=3, β=inf; D: α=3, β=inf
            {A: (-oo, oo), B: (-oo, oo), C: (3, oo), D: (3, oo)}
            """),
            {"A": ["-inf", "inf"], "B": ["-inf", "inf"], "C": ["3", "inf"], "D": "(3, inf)"},
        ],
        [*_("A: (-inf, inf), B: (-inf, inf), C: (inf, 3), D: (3, inf)  A: -inf, B: inf  (3, inf)  -inf, inf")],
    ),
    (
        "two-ply",
        {"ask": "inequalities"},
        [
            *_("""
            C≤2  C <= 2  C: <= 2  C: ≤ 2  C=<2  C: at most 2  C: at-most 2  C: (-inf, 2]  c≤2  C ≤ ۲  C: حداکثر ۲
            C: ≤ 2.  C: no máximo 2  C: 2 or less  {C: <= 2}
            """),
            {"C": "<= 2"},
            {"C": "2 >= C"},
            [{"C": "≤2"}],
        ],
        [*_("C≥2  C<2  C=2  B≤2  C≤4  2")],
    ),
    (
        "wide",
        {"ask": "pruned"},
        [
            *_("""
            L5-L10  L5–L10  L5—L10  L5..L10  L5...L10  L5…L10  L5 - L10  L5 – L10  L5 to L10  L5 through L10
            L5 thru L10  L5 … L10  L5 until L10  L5 till L10  L5 até L10  L5 ate L10  L5 a L10  L5 ao L10
            L5 hasta L10  L5 al L10  L5 تا L10  from L5 to L10  de L5 a L10  de L5 até L10  desde L5 hasta L10
            از L5 تا L10  from L5 until L10  L5-10  L5–10  L5 to 10  L5..10  L5, ..., L10  L5, …, L10
            L5, L6, ..., L10  L5-L7, L8-L10  L5-L7 and L8-L10  L5 to L7, L8, L9, L10  L5 to L7 and L8 to L10  l5-l10
            L5 onwards  L5 onward  from L5 onwards  from L5 on  L5 em diante  de L5 em diante  L5 en adelante
            L5 به بعد  از L5 به بعد  L10-L5  L10 to L5  L5, L6, L7, L8, L9, L10  L5 L6 L7 L8 L9 L10
            L5; L6; L7; L8; L9; L10  L5، L6، L7، L8، L9، L10  L5, L6, L7, L8, L9 and L10  L5, L6, L7, L8, L9 e L10
            L5, L6, L7, L8, L9 y L10  L5، L6، L7، L8، L9 و L10  {L5, L6, L7, L8, L9, L10}  [L5-L10]  (L5-L10)
            L5-L10.  C after L4  C: after L4  after L4  C, after L4  C after L4.  everything after L4
            C depois de L4  C: depois de L4  depois de L4  C después de L4  C: después de L4  después de L4
            C despues de L4  C پس از L4  C: پس از L4  پس از L4  C بعد از L4  c2-c7  c2 to c7  c2, c3, c4, c5, c6, c7
            L 5 - L 10  L 5 to L 10  L 5, L 6, L 7, L 8, L 9, L 10  L 5 L 6 L 7 L 8 L 9 L 10
            L₅, L₆, L₇, L₈, L₉, L₁₀  leaves L5 to L10  the leaves L5-L10  folhas L5 a L10  hojas L5 a L10
            برگ‌های L5 تا L10  L۵ تا L۱۰  \u2067L5، L6، L7، L8، L9، L10\u2069  4, 6, 7, 8.5, 11, 12  L5.. L10
            L5 -L10  L5- L10  C:after L4  stop after L4  after L 4  L5,L6,L7,L8,L9,L10,  L5. L6. L7. L8. L9. L10.
            """),
            ["L5", "L6", "L7", "L8", "L9", "L10"],
            ["L5-L10"],
            ["L5 to L10"],
            ["L5", "...", "L10"],
            ["L5", "to", "L10"],
            ["L5 L6", "L7-L10"],
            ["C after L4"],
            ["L 5", "L 6", "L 7-L 10"],
            {"C": ["L5", "L6", "L7", "L8", "L9", "L10"]},
            {"C": "L5-L10"},
            {"C": "after L4"},
            {"C": "depois de L4"},
            {"L5": "yes", "L6": "yes", "L7": "yes", "L8": "true", "L9": "sim", "L10": "sí", "L1": "no"},
            {"L5": "pruned", "L6": "cut off", "L7": "podada", "L8": "podado", "L9": "هرس", "L10": "×"},
        ],
        [
            *_("""
            L5, L10  L5 and L10  L5/L10  L5-L9  L6-L10  L4-L10  L4 onwards  after L3  after L5  B after L1
            not L5-L10  none  all but L5  between L5 and L10  before L5  L5 to L99  L55-L10  L 5  5-10  5 to 10
            all except L4  no leaves  C after L1
            """),
            {"B": ["L5", "L6", "L7", "L8", "L9", "L10"]},
            {"L5": "no"},
        ],
    ),
    (
        "plain",
        {"ask": "pruned"},
        [
            *_("""
            none  None.  nothing  no leaves  no leaf  nothing is pruned  no leaves are pruned  none are pruned
            no cuts  no pruning  nenhuma  nenhuma folha  nada  nada é podado  nenhuma folha é podada  não há poda
            sem poda  ninguna  ninguna hoja  no se poda nada  no se poda ninguna hoja  no hay poda  sin poda  هیچ
            هیچ‌کدام  هیچ برگی  هیچ برگی هرس نمی‌شود  هیچ‌کدام هرس نمی‌شود  بدون هرس  ∅  {}  []  -  —
            """),
            [],
            {},
            ["none"],
            {"L1": "no", "L2": "no"},
        ],
        [*_("L4  all  not none  everything is pruned  C after L3")],
    ),
    (
        "fives",
        {"ask": "pruned"},
        [*_("L5, L6  L 5, L 6  L 5 L 6  L 5 and L 6  L5-L6  L5 - 6"), ["L 5", "L 6"]],
        [*_("5, 6  L 3, L 6  L 12  L3")],
    ),
    (
        "odd",
        {"ask": "pruned"},
        [*_("L4  L4.  c2  after L3  C after L3")],
        [*_("none  no leaves  L1  L3-L4")],
    ),
    (
        "third",
        {"ask": "move"},
        [
            *_("a1  A1  a1.  a 1  B  b  A → B  A -> B  A→B  A-B  A, B  A > B"),
            ["a1"],
            ["B"],
            ["A", "B"],
            {"move": "a1"},
        ],
        [*_("a2  C  a1 or a2  a1, a2  A → C  not a1  zz  B → A  none")],
    ),
    (
        "two-ply",
        {"ask": "line"},
        [
            *_("""
            a1, b1  a1 b1  a1; b1  a1 → b1  a1->b1  a1 -> b1  a1-b1  a1 - b1  a1–b1  A, B, L1  A → B → L1  A-B-L1
            B, L1  A1, B1  a1، b1  a1 > b1  (a1, b1)  [a1, b1]  a1, b1.  a1 and b1  a1 e b1  a1 y b1  a1 و b1
            a 1, b 1  a1 ⇒ b1  A B L1  \u2067a1، b1\u2069
            """),
            ["a1", "b1"],
            ["A", "B", "L1"],
            ["B", "L1"],
            ["a1 b1"],
            {"1": "a1", "2": "b1"},
        ],
        [*_("b1, a1  a1  a1, b2  a1, zz  a2, c1  A, C, L4  not a1, b1"), ["a1", "zz"]],
    ),
    (
        "two-ply",
        {"ask": "visited", "what": "leaves"},
        [
            *_("""
            L1, L2, L3, L4, L7, L8, L9  L1-L4, L7-L9  L1–L4, L7–L9  L1 to L4, L7 to L9  L1..L4; L7..L9  L1-4, L7-9
            L1 L2 L3 L4 L7 L8 L9  L1 to L4 and L7 to L9  L1 a L4 e L7 a L9  L1 تا L4، L7 تا L9
            L1, ..., L4, L7, L8, L9  L1 → L2 → L3 → L4 → L7 → L8 → L9  L1 to L4 L7 onwards
            """),
            ["L1", "...", "L4", "L7-L9"],
        ],
        [*_("L1-L9  L9-L7, L4-L1  L1, L4, L7, L9  none")],
    ),
    (
        "two-ply",
        {"ask": "count", "what": "evaluated"},
        [
            *_("""
            7  ۷  7.  7 leaves  7 folhas  7 hojas  ۷ برگ  seven  sete  siete  هفت  seven leaves  sete folhas  = 7
            7.0  14/2  7 leaf  7 leaves evaluated  7 nodes  7 nós  7 nodos
            """),
        ],
        [*_("eleven  8 leaves  about 7  7 or 8  7-8  L7  7 apples  sieben")],
    ),
    (
        "two-ply",
        {"ask": "reorder", "goal": "most"},
        [
            *_("""
            D: L9, L8, L7  D: L9, L8, L7; A: B, C, D  A: B, C, D; D: L9, L8, L7  D: L9 L8 L7  D: 2, 5, 14
            D: d3, d2, d1  D=L9, L8, L7  {D: L9, L8, L7}  D: [L9, L8, L7]  D: L9 → L8 → L7  D: L9، L8، L7
            d: l9, l8, l7
            """),
            {"D": ["L9", "L8", "L7"]},
            [{"D": ["L9", "L8", "L7"]}],
            ["D: L9, L8, L7"],
        ],
        [*_("D: L9, L8  D first  none  D: L7, L8, L9  L9, L8, L7")],
    ),
    (
        "two-ply",
        {"ask": "transform", "by": "2*v + 3"},
        [
            *_("""
            same, same  same; same  same,same  igual, igual  همان، همان  move: same, pruned: same
            move = same; pruned = same  the same, the same  Same, Same  best move: same; pruned leaves: same
            o mesmo; as mesmas  igual; iguales
            """),
            ["same", "same"],
            {"move": "same", "pruned": "same"},
            {"melhor jogada": "igual", "folhas podadas": "igual"},
        ],
        [*_("same  same, different  different, same  same, same, same  maybe, same")],
    ),
    (
        "third",
        {"ask": "values", "of": "minimax", "algorithm": "expectiminimax", "digits": 2},
        [
            *_("""
            A=7/3, B=7/3, C=5/6  A=2.33, B=2.33, C=0.83  A=2 1/3, B=2 1/3, C=83%  A=2⅓, B=2⅓, C=⅚
            A≈2.33, B≈2.33, C≈0.83  A: ≈ 2.33; B: ~2.33; C: ≈0.83  A=2,33; B=2,33; C=0,83
            A = 2,33, B = 2,33, C = 0,83  A=about 2.33; B=approx. 2.33; C=cerca de 0.83  A=۲٫۳۳؛ B=۲٫۳۳؛ C=۰٫۸۳
            A=233%, B=233%, C=83 %
            """)
        ],
        [*_("A=2.3, B=2.33, C=0.83  A=2.34, B=2.33, C=0.83  A=1/3, B=7/3, C=5/6")],
    ),
    (
        "third",
        {"ask": "values", "of": "minimax", "algorithm": "expectiminimax"},
        [*_("A=7/3, B=7/3, C=5/6  A=2 1/3, B=2 1/3, C=5/6  A=2⅓; B=14/6; C=⅚")],
        [*_("A≈2.33, B=7/3, C=5/6  A=2.33, B=7/3, C=5/6  A=about 7/3, B=7/3, C=5/6")],
    ),
    (
        "odd",
        {"ask": "values", "of": "minimax", "algorithm": "minimax"},
        [
            *_("""
            A=-5.125, B=-5.125, C=-7  A=−5.125; B=−5.125; C=−7  A=-5 1/8, B=-5⅛, C=-7  A=-41/8, B=-41/8, C=-7
            A=−۵٫۱۲۵؛ B=−۵٫۱۲۵؛ C=−۷  A=-512.5%, B=-5.125, C=-7
            """)
        ],
        [*_("A=5.125, B=-5.125, C=-7  A=-5125, B=-5.125, C=-7")],
    ),
    (
        "players",
        {"ask": "vectors"},
        [
            *_("""
            A: (7, 4, 1), B: (4, 3, 3), C: (7, 4, 1)  A=(7,4,1); B=(4,3,3); C=(7,4,1)
            A: [7, 4, 1] B: [4, 3, 3] C: [7, 4, 1]  A: 7, 4, 1; B: 4, 3, 3; C: 7, 4, 1
            A: (۷، ۴، ۱)، B: (۴، ۳، ۳)، C: (۷، ۴، ۱)
            """),
        ],
        [*_("A: (7, 4), B: (4, 3, 3), C: (7, 4, 1)  (7, 4, 1)")],
    ),
    (
        "unknowns",
        {"ask": "assign", "goal": {"pruned": ["L4", "L6"]}},
        [
            *_("""
            x = 3, y = 3  x=3,y=3  x=3; y=3  x: 3, y: 3  x = 2,5; y = 1  x=3 y=3  X = 3, Y = 3  x = ۳، y = ۳
            {x: 3, y: 3}  x := 0, y := -1
            """),
            {"x": "3", "y": "3"},
            [{"x": "3"}, {"y": "3"}],
        ],
        [*_("x = 4, y = 3  x = 3  3, 3  x = 3, z = 3  y")],
    ),
    (
        "unknown",
        {"ask": "range", "unknown": "x", "when": {"pruned": ["L5"]}},
        [
            *_("""
            x <= 3  x ≤ 3  x≤3  (-inf, 3]  ]-∞, 3]  (−∞، ۳]  x ∈ (−∞, 3]  3 >= x  at most 3  x at most 3
            no máximo 3  como máximo 3  حداکثر ۳  x ≤ ۳  3 or less  x is at most 3  {x | x ≤ 3}  x <= 3.0  x ≤ 9/3
            """),
        ],
        [*_("x >= 3  x ≤ 4  y ≤ 3  [3, inf)  every x  x = 3  3")],
    ),
    (
        "estimates",
        {"ask": "depths", "depths": [1, 2]},
        [
            *_("""
            1: 5, a1; 2: 3, a2  1: 5 a1; 2: 3 a2  1: 5, a1, 2: 3, a2  depth 1: 5, a1; depth 2: 3, a2
            profundidade 1: 5, a1; profundidade 2: 3, a2  عمق ۱: ۵، a1؛ عمق ۲: ۳، a2
            1: value 5, move a1; 2: value 3, move a2  1: valor 5, jogada a1; 2: valor 3, jogada a2
            """),
            {"1": {"value": "5", "move": "a1"}, "2": ["3", "a2"]},
            {"1 value": "5", "1 move": "a1", "depth 2: value": "3", "depth 2: move": "a2"},
            {"profundidade 1: valor": "5", "profundidade 1: jogada": "a1", "2": "3, a2"},
            {"عمق ۱: مقدار": "۵", "عمق ۱: حرکت": "a1", "2": "۳، a2"},
        ],
        [*_("5, a1; 3, a2  1: 5, a2; 2: 3, a2  1: a1, 5; 2: 3, a2")],
    ),
    (
        "statistics",
        {"ask": "ucb", "digits": 2},
        [
            *_("""
            B = 1.51, C = 1.53, select: C  B=1.51; C=1.53; select=C  B: 1,51; C: 1,53; selected: C
            B≈1.51, C≈1.53, select: C  B = ۱٫۵۱؛ C = ۱٫۵۳؛ انتخاب‌شده: C
            """),
            {"B": "1.51", "C": "1.53", "select": "C"},
            {"B": "≈ 1.51", "C": "1,53", "selecionado": "C"},
            {"B": "1.51", "C": "1.53", "select": ["C"]},
        ],
        [*_("B = 1.51, C = 1.53, select: B  B = 1.5, C = 1.53, select: C  1.51, 1.53, C")],
    ),
    (
        "statistics",
        {"ask": "backup"},
        [],
        [*_("A: 1/2  no change")],
    ),
    (
        "two-ply",
        {"ask": "prunable", "nodes": ["L1", "L5"]},
        [
            *_("""
            L1: no, L5: yes  L1=no; L5=yes  L1: não; L5: sim  L1: no; L5: sí  L1: خیر؛ L5: بله  L1: false, L5: true
            L1: n, L5: y  L 1: no, L 5: yes  L1: ✗, L5: ✓
            """),
            {"L1": "no", "L5": "yes"},
            {"L1": "não", "L5": {"L4": "2"}},
        ],
        [*_("L1: x, L5: yes  L1: yes, L5: no  no, yes  L5")],
    ),
    (
        "plan",
        {"ask": "plan"},
        [
            *_("""
            [go, if s1 then [fix] else []]  go; {s1: [fix], s2: []}  [go, {s1: [fix], s2: []}]
            [go, se s1 então [fix] senão []]  [go, si s1 entonces [fix] si no []]  [go, اگر s1 آنگاه [fix] وگرنه []]
            """),
            ["go", {"s1": ["fix"], "s2": []}],
        ],
        [*_("go  failure  no plan  بدون طرح")],
    ),
]
