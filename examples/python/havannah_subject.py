"""Havannah by its definitions: cargo run --release -- conform --cmd "python3 examples/python/havannah_subject.py" """
import functools, json, sys; sys.setrecursionlimit(9999)
def near(cell): return {(cell[0] + r, cell[1] + c) for r, c in ((0, -1), (-1, -1), (-1, 0), (0, 1), (1, 1), (1, 0))}
def sides(s, r, c): return [i for i, d in enumerate((r, c, 2*s-2-r, 2*s-2-c, s-1-r+c, s-1-c+r)) if d == 0]
def board(s):  # row and column by name: a1, ..., and on large boards aa8, ...
    letters = [chr(97 + i) if i < 26 else "a" + chr(71 + i) for i in range(2 * s - 1)]
    return {f"{a}{c + 1}": (r, c) for r, a in enumerate(letters) for c in range(2 * s - 1) if abs(r - c) < s}
def flood(todo, within, seen=frozenset()):
    return flood(set().union(*map(near, todo)), within, seen | todo) if (todo := (todo & within) - seen) else seen
def wins(s, cells, own, last):  # a corner is on two sides, an edge cell on one; out of a ring there is no way
    outside = flood({cell for cell in cells if sides(s, *cell)}, cells - own)
    ring = any(not sides(s, *cell) and not (near(cell) | {cell}) & outside for cell in cells)
    touched = [sides(s, *cell) for cell in flood({last}, own)]
    bridge, fork = sum(len(t) == 2 for t in touched) > 1, len({t[0] for t in touched if len(t) == 1}) > 2
    return ["ring"] * ring + ["bridge"] * bridge + ["fork"] * fork
@functools.lru_cache(2000)
def play(s, swap, moves):  # the stones of the side to move, those of the other, how the other has won, empty cells
    if not moves: return frozenset(), frozenset(), [], len(board(s))
    (own, other, how, left), cells, at, move = play(s, swap, moves[:-1]), board(s), len(moves) - 1, moves[-1]
    if how or not left: raise ValueError("over", at, "the game is over")
    if (swap, at, move) == (True, 1, "swap"): return own, other, [], left  # the stone and the turn change sides
    if move not in cells or cells[move] in own | other: raise ValueError("move", at, f"{move} is no empty cell")
    return other, own | {cells[move]}, wins(s, set(cells.values()), own | {cells[move]}, cells[move]), left - 1
for q in map(json.loads, sys.stdin):
    n, side = len(q["moves"]) % 2, ("white", "black")
    try: how, left = play(q["size"], swap := q.get("swap", False), tuple(q["moves"]))[2:]
    except ValueError as e: answer = {"ok": False, "error": dict(zip(("kind", "at", "message"), e.args))}
    else: answer = {"ok": True, "how": how, "outcome": side[n - 1] if how else None if left else "draw",
        "to_move": side[n], "plies": len(q["moves"]), "legal": 0 if how else left + (swap and len(q["moves"]) == 1)}
    print(json.dumps({"id": q["id"], **answer}), flush=True)
