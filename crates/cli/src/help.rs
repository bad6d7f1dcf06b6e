//! The texts of `--help`. The text `…_ABOUT` of a command is above the list of its options. The text with the name of
//! the command is below the list. `NEXT` is the end of the tour by `demo`.

pub(crate) const ABOUT: &str = "\
Stonework knows three games: Havannah on boards of size 2 to 20, Cachex on 3 to 15, and Cover-1 to \
Cover-10; --game havannah|cachex|cover chooses one. It answers questions about positions, replays \
records, draws boards, counts games, solves positions, plays, runs matches between players, and \
compares the rules of other programs with its own.

Every command prints text for people. With --json, every command but `gtp` and `referee`, which have \
protocols of their own, prints one JSON object per line and nothing else on standard output. Progress \
goes to standard error. The exit code is 0 for success, 1 when a check fails, and 2 for arguments or \
input that cannot be used, with one line on standard error that names them.";

pub(crate) const EXAMPLES: &str = "\
Examples:
  stonework demo
      a tour, under a minute
  stonework replay game.sgf
      the final board, the winner, the kind of win, and its cells
  stonework replay --json *.hgf
      the same for many records, a JSON object each
  stonework draw --size 4 --moves \"a1 b1 a2 b2 a3 b3 a4\" -o bridge.svg
      a picture for a page
  stonework analyse --size 4 --moves \"a4 d4 b3 e4 d1\"
      what is connected, what wins, and where a side must play
  echo '{\"id\":1,\"game\":\"havannah\",\"size\":4,\"moves\":[\"a1\",\"b1\"]}' | stonework oracle
      the outcome, the legal moves and more after some moves
  stonework conform --cmd \"python3 my_rules.py\"
      find a small game on which your rules differ from these
  stonework perft --size 3 --depth 5
      count all games, with wins by side and kind
  stonework playouts --size 8 --seconds 2 --threads 2
      random games, counted and timed
  stonework solve --size 4 --moves \"g5 d1 g4 g7 e3 c2 a1 a4 f5 f3 d7 d6 c3\" --proof p.proof
      the outcome with best play, and a proof of it
  stonework verify p.proof
      whether the proof holds, by the rules alone
  stonework search --size 6 --seconds 5
      a good move
  stonework match mcts uct --size 5 --games 40 --simulations 1000
      the stronger player, and the difference in Elo
  stonework gtp --size 8 --seconds 2
      a player for a graphical front end
  stonework patterns check my.pat
      the faults of a pattern file
  stonework table stats --game cover --size 4 --stones 1v1
      wins of each side and the longest win in Cover-4 with a stone each

Moves are cells such as `f5`, and `swap`. In the default notation, hgui, the letter is the row and the \
number the slanted column:

        a1 a2 a3 a4            A bridge joins two corners, a fork three edges (a corner
      b1 b2 b3 b4 b5           is on no edge), a ring goes around at least one cell,
    c1 c2 c3 c4 c5 c6          whatever is in it. White moves first. The side that completes
  d1 d2 d3 d4 d5 d6 d7         one of them wins; a full board without one is a draw.
    e2 e3 e4 e5 e6 e7
      f3 f4 f5 f6 f7           `grid` numbers each row from its left end, `rogers` has
        g4 g5 g6 g7            capital letters, `web` two letters with `oo` the centre.";

pub(crate) const NEXT: &str = "Next, try:

    stonework replay YOUR_GAME.sgf              the winner of a record, the kind of win, its cells
    stonework draw --size 5 --moves \"e5 a1\"     a diagram; -o board.svg makes a picture
    stonework conform --cmd \"YOUR PROGRAM\"      your rules against these, down to a small game
    stonework playouts --size 10 --seconds 5 --threads 2
    stonework help                              all commands, and `help COMMAND` for each";

pub(crate) const DEMO_ABOUT: &str = "\
A tour, in under a minute. It replays the games and positions that ship with the program, draws them, \
names winner, kind and winning cells, and compares them with the printed ones; asks the oracle; counts \
all short games; compares the fast rules with the slow judge; and plays random games on sizes 4, 5, 8 \
and 10. All results but the speeds are the same every time. The exit code is 1 if a check fails.

With --json, each part of the tour is an object; its field `part` is printed, oracle, perft, judge, \
playouts or end.";

pub(crate) const REPLAY_ABOUT: &str = "\
Plays recorded games by the rules, swap allowed, up to a resignation, and reports their ends. A single \
game is shown in full: the header of the record, the final board with the last stone marked (O) and \
the winning cells starred O*, the winner, each kind of win with a smallest chain that shows it, and \
oddities of the record, which are reported and never mended. Of several games, each takes a line.

Files are SGF or HGF trees (the main line is replayed), in UTF-8 or ISO 8859-1, in any of the known \
dialects. Files *.jsonl, and files that begin with `{`, are lists of games: each line is an object \
with `size` and `moves`, and perhaps `id`, `notation`, `moves_hgui` (the same moves again), `end`, \
`win_by` (W or B), `win_types`, `win_ply` (the index of the winning move) and `result`. The command \
compares these fields with the end of the game by its moves, and prints the counts last (with --json \
on standard error).

For Cachex and Cover the command reads trees as `match --sgf` writes them, and lists with `size` and \
`moves`.";

pub(crate) const REPLAY: &str = "\
With --json, for each game:
  {\"file\",\"id\"?,\"size\",\"plies\",\"to_move\",\"outcome\":null|\"white\"|\"black\"|\"draw\",\"how\":[\"ring\",…],
   \"cells\":[[…],…],\"end\":\"formation\"|\"resign\"|\"draw\"|\"unfinished\",\"last\",\"claimed\",
   \"claim_agrees\":null|true|false,\"quirks\":[…],\"header\"?:{…},\"board\",\"differs\"?:[…]}
for Cachex and Cover: the oracle's answer, with \"file\", \"size\", \"claimed\" and \"claim_agrees\".

A game that cannot be replayed gets a line on standard error with the move and the reason. The
other games are still replayed, and the exit code is 2. If a field of a list disagrees with the
moves, the exit code is 1.

Examples:
  stonework replay game.hgf
  stonework replay --json games/*.hgf
  stonework replay littlegolem.jsonl
  curl https://example.org/game.sgf | stonework replay --notation grid -
  stonework replay --game cover cover/*.sgf";

pub(crate) const DRAW_ABOUT: &str = "\
Draws a board with its coordinates, as text or as SVG. In the text, O is white and @ black; the last \
stone stands in parentheses, marked cells have a star, and numbers stand before the stone. The SVG \
needs no scripts, style sheets or fonts from elsewhere. The winning cells of a finished game are \
marked. --layers marks what `stonework analyse` finds: letters of sides on the carriers of links and \
of the first frame of each side, numbers for distances of the side to move, and stars elsewhere. For \
Cachex the text has r for red and b for blue, with rows and columns by number. The \
diagonal lattice of Cover has neither marks nor numbers on its stones.";

pub(crate) const DRAW: &str = "\
With --json: {\"board\", \"format\":\"text\"|\"svg\", \"diagram\"} or, with -o, \"file\" instead of \"diagram\".

Examples:
  stonework draw --size 4 --moves \"b2 f3 b3 f4 c2 f5 c4 f6 d3 f7 d4\"
  stonework draw --size 5 --moves \"e5 d4\" --numbers --highlight \"e4 d5\" -o threat.svg
  stonework draw game.sgf --ply 20 --numbers
  stonework draw --size 4 --moves \"a4 d4 b3 e4 d1\" --layers distance,must-play
  stonework draw --size 10 --notation rogers --strokes --moves \"J19 H16\"
  stonework draw --position \"2 b - ../w../..\"
  stonework draw --game cachex --size 5 --moves \"1,1 2,3 3,2\" --numbers
  stonework draw --game cover --size 4 --moves \"A07-B08\" -o opening.svg";

pub(crate) const ANALYSE_ABOUT: &str = "\
Says what is known of a position without a search, in layers. The layers of Havannah are:

  links         chains that a side keeps connected to chains, edges and corners, whatever the other \
side plays within the cells of the carrier
  frames        links that together complete a win; `wins` is proven, all else is not
  threats       the moves with which each side wins at once
  must-play     the cells outside of which the side to move loses, and the reasons
  dead          the cells that are dead, captured, or dominated for the side to move
  distance      the stones that each side needs for each kind of win if the other side passes
  two-distance  an estimate of these stones if the other side answers

The other games have the layer threats. The budgets limit the search for links and frames: lower \
numbers leave findings out, and never make a wrong one.";

pub(crate) const ANALYSE: &str = "\
With --json, for each layer:
  {\"layer\",\"findings\":[{\"side\":null|\"white\"|\"black\",\"text\",\"cells\":[…]},…],
   \"marks\":[{\"cell\",\"label\"?},…],\"complete\":true|false}
`marks` are the marks of `draw --layers`: a cell is highlighted unless it has a label. `complete`
is false if the budget has left out links or frames.

Examples:
  stonework analyse --size 4 --moves \"a4 d4 b3 e4 d1\"
  stonework analyse --position \"4 b - ...w/b.w../.w..../w..b.../...b../...../....\" --layers frames
  stonework analyse --size 10 --moves \"e5 f6 g8\" --layers links,distance --carrier 4
  stonework analyse --game cachex --size 5 --moves \"1,1 2,3 3,2\" --json";

pub(crate) const ORACLE_ABOUT: &str = "\
Reads a JSON object from each line of standard input, and answers it with a JSON object on a line of \
standard output. Answers come in order, and each answer is sent before the next question is read. A \
bad line gets an error object, and the next line is read; bad lines include empty lines, lines over 1 \
MiB and lines that are not UTF-8. The program ends at the end of the input.";

pub(crate) const ORACLE: &str = "\
In:   {\"id\", \"game\":\"havannah\", \"size\", \"notation\"?, \"position\"?,
       \"to_move\"?, \"swap\"?, \"moves\":[…]}
      id        anything; comes back with the answer
      size      2 to 20; may be left out if `position` is given
      notation  hgui (default), grid, rogers or web, for the cells of moves
                and of the answer
      position  the start, as `board` of an answer gives it; else the empty
                board
      to_move   white or black, if not the side that the position names
      swap      true if black's first action may be the move \"swap\"
Out:  {\"id\", \"ok\":true, \"plies\", \"to_move\",
       \"outcome\":null|\"white\"|\"black\"|\"draw\", \"how\":[\"ring\",…],
       \"cells\":[[\"b2\",…],…], \"legal\":N, \"board\":\"…\", \"key\":\"16 hex digits\"}
      cells     for each entry of `how`, a smallest chain that shows it
or:   {\"id\", \"ok\":false, \"error\":{\"kind\", \"at\":index|null, \"message\"}}
      kind      line, json, game, size, notation, position, to_move; or, about
                the move with index `at`: move (no such cell), occupied,
                over (the game has ended), swap

For Cover:
      size      the X of Cover-X
      moves     `A07-B08` or `A07-B08xE10`; the hit is checked
      position  `[C01,A03]x[G05,E07]`, or the answer's `position`
      how       homebase, last stone or no move
      captured  for each move what it has shot
      kind      also home (the mover's own homebase), repetition

Example:
  $ echo '{\"id\":7,\"game\":\"havannah\",\"size\":2,\"moves\":[\"a1\",\"b2\",\"a2\"]}' \\
      | stonework oracle
  {\"id\":7,\"ok\":true,\"plies\":3,\"to_move\":\"black\",\"outcome\":\"white\",
   \"how\":[\"bridge\"],\"cells\":[[\"a1\",\"a2\"]],\"legal\":0,
   \"board\":\"2 b - ww/.b./..\",\"key\":\"…\"}        (one line)";

pub(crate) const CONFORM_ABOUT: &str = "\
Compares the rules of your program, in any language, with ours. Your program must answer the lines of \
`stonework oracle`: it reads a question per line and answers each on a line, flushing its output. Its \
answer after the moves of every game is compared with ours. So are its refusals, in positions all over \
the game and after its end: of occupied cells, of cells just beyond the board, of swaps and steals at \
the wrong time, of steps that are blocked. The games are from the literature, random, or made for \
cases in which rules go wrong: swaps, draws, rings of all kinds, wins on the last empty cell, \
captures, repetitions, the last turn. The first disagreement is printed on standard error; then a \
smaller game that still shows it is searched for, printed and drawn. Without a disagreement, the \
report counts all that was tried.

Your program must answer `ok`, `outcome` and `to_move`, and to a bad question `ok` and `error` with \
`at`. `plies`, `how`, `legal` and `captured` are compared if your program gives them. So is the `kind` \
of an error, unless it is `move`, which stands for any kind.";

pub(crate) const CONFORM: &str = "\
With --json: {\"ok\", \"games\", \"plies\", \"stopped\"?, \"tried\":{\"sizes\", \"games\",
\"questions\", \"refusals\", \"ends\", \"ends_on_the_last_cell\",
\"asked_beyond_the_end\"}, \"counterexample\"?:{\"size\", \"swap\",
\"start\":null|[board, to_move], \"moves\", \"expected\", \"got\", \"what\", \"name\",
\"found_with\", \"least\", \"notation\":null|NAME}}. `tried` counts by name; `least`
is true if no move can be left out. The exit code is 1 if there is a disagreement.

Examples:
  stonework conform --cmd \"stonework oracle\"
  stonework conform --cmd \"python3 my_rules.py\" --size 4 --size 8..10 --games 1000
  stonework conform --cmd ./my_rules --corpus games/ --timeout 2 --json
  stonework conform --cmd ./my_cover --game cover --size 1..6";

pub(crate) const PERFT_ABOUT: &str = "\
Counts the sequences of legal moves of each length from 1 to D, and those among them that end with a \
win or a draw at exactly that length; games that ended earlier are not extended. Counting moves alone \
would hide errors about the winner, so wins are counted by side and kind. A win by two kinds at once \
counts once in the total and once in each kind.";

pub(crate) const PERFT: &str = "\
With --json, for each depth: {\"depth\", \"nodes\", \"wins\":{\"white\":{\"total\", \"ring\", \"bridge\", \"fork\"},
\"black\":{…}}, \"draws\"}

Examples:
  stonework perft --size 2 --depth 7
  stonework perft --size 3 --depth 5 --swap
  stonework perft --size 4 --moves \"a1 b1 a2 b2\" --depth 3 --json
  stonework perft --game cover --size 2 --depth 5";

pub(crate) const PLAYOUTS_ABOUT: &str = "\
Plays games to their end with uniformly random moves (a game of 10000 plies counts as a draw). Each \
thread has a random generator of its own, which depends on the seed and the number of the thread: with \
--games, the same seed and the same number of threads give the same counts on any machine.";

pub(crate) const PLAYOUTS: &str = "\
With --json: {\"playouts\",\"plies\",\"cpu_seconds\",\"ns_per_ply\",\"first_wins\",\"second_wins\",\"draws\",
\"ring\",\"bridge\",\"fork\",\"size\",\"threads\",\"seed\",\"seconds\",\"per_second\"}. `cpu_seconds` is the
processor time of all threads together, `seconds` the elapsed time. `ring`, `bridge` and `fork`,
only in Havannah, count games by the kinds of the winning stone, which may have several at once.

Examples:
  stonework playouts --size 10 --seconds 2
  stonework playouts --size 8 --games 1000000 --threads 2 --seed 7 --json
  stonework playouts --size 4 --moves \"d4\" --games 100000
  stonework playouts --game cover --size 4 --games 1000";

pub(crate) const SOLVE_ABOUT: &str = "\
Finds out which side wins a position with best play, or that the game is a draw. The engines:
  dfpn       depth-first proof numbers; in Havannah to size 6 also threat sequences and must-play
  hybrid     a Monte-Carlo tree that hands its nodes to dfpn: often the fastest beyond size 6
  pns, pn2   proof-number search with its tree in memory, on one or two levels
  mcts       a Monte-Carlo tree with a solver
  alphabeta  alpha-beta, without an evaluation
  minimax    the complete game tree: small boards only
All but alphabeta and minimax know wins in one move, forced blocks and dead draws.

A game of Cover may never end. There dfpn and pns search for wins within more and more plies, and the \
engine threats searches for wins by threat sequences. With --endings FILE the engines take the values \
of endings from a table.

Ctrl-C ends the search and reports the result so far. --proof FILE writes the strategy that proves the \
outcome; `verify` checks the file with nothing but the rules. From the empty board of sizes 2 to 4 the \
file proves all openings, one of each symmetric kind. Each opening is a job. The directory FILE.parts \
keeps the finished jobs until all are done; after Ctrl-C or a crash, the same command goes on with the \
open jobs.

The search itself is saved in a checkpoint: in FILE.checkpoint, or for an opening in FILE.parts. A \
checkpoint is written every --checkpoint-every seconds, but less often if saving would take more than \
a twentieth of the time or if the table is full; and when Ctrl-C, a signal to terminate or a limit \
stops the search. The same command goes on from the checkpoint, also after the process was killed. A \
checkpoint that is damaged or of another position is refused and left alone. Each checkpoint is \
reported on standard error, with the proof and disproof number of the root, the nodes that this \
process has spent on the question, thousands of nodes per second since the question began, and the \
share of the table in use. The proof number is the least number of open positions that must still be \
decided for a yes, the disproof number for a no. Both go up and down, and do not tell the time that is \
left.

Several processes share the openings if they get the same FILE, on one machine or on several machines \
with a common directory. The process that works on an opening holds the system's lock on a file in \
FILE.parts; the lock of a single position is FILE.lock. The system frees the lock when the process \
ends, in whatever way, and another process goes on from its checkpoint at once; no file has to be \
deleted by hand. Across machines the file system of the directory must support locks. Each process has \
a table of its own, and takes over the proofs of finished jobs.

With --split, each reply to the position, or to each opening, is a job of its own. Each job writes a \
proof into a file in FILE.parts, the reply that looks hardest to refute first, and the proof of the \
position is joined from these files. A winning reply ends the list: processes at other replies notice \
it at their next checkpoint. Use --split if the side to move loses, so that all its replies are \
needed; if it wins, a search of the whole position seldom needs all replies. A process verifies each \
file before it uses it.

--explore FILE verifies a proof, keeps it in memory (--memory) and answers commands from standard \
input, a line each: play moves and take them back, list all moves with their refutations, ask the \
solver (--nodes or --seconds a question) about positions that the proof lacks. Each answer names its \
source: the proof, the rules or the solver. The walk begins at the root of the proof or, if the proof \
has several roots, on the empty board; --size and --moves choose another position. --export writes the \
first plies to a file instead, with one move of the winner and all moves of the loser at each \
position. --map draws the values of all openings and replies as a page.";

pub(crate) const SOLVE: &str = "\
With --json:
  {\"outcome\":\"white\"|\"black\"|\"draw\"|\"unknown\",\"best\",\"line\",\"nodes\",\"simulations\",\"cpu_seconds\",
   \"seconds\",\"memory_bytes\",\"stopped_by\",\"engine\"}
  with --proof also \"proof\":{\"file\",\"bytes\",\"records\",\"shared\"}; if it proves openings,
   \"openings\":[{\"move\",\"images\",\"outcome\",\"nodes\",\"nodes_before\",\"cpu_seconds\"}, …];
   with --split of a position, \"replies\" of the same form
  with the engine minimax also \"replies\":[{\"move\",\"value\",\"plies\",\"line\",\"nodes\"}, …] and
   \"tree\":{\"nodes\",\"wins\",\"draws\",\"cut\",\"longest\"}
`nodes` and `seconds` are of this process, `nodes_before` of the checkpoint. `stopped_by` is solved,
nodes, simulations, depth, time, cancel or memory.

--explore answers each line with {\"ok\":true,\"moves\",\"to_move\",\"outcome\",\"board\"} and, by the
command, one of
  \"said\":[{\"claim\",\"reason\",\"moves\",\"plies\",\"from\"}, …],
  \"replies\":[{\"move\",\"outcome\",\"plies\",\"answer\",\"from\"}, …], \"line\", \"nodes\", \"claims\" or \"help\";
or with {\"ok\":false,\"error\":{\"line\",\"message\"}}. `from` is proof, rules, solver or unknown.
--export prints {\"ok\",\"file\",\"format\",\"positions\",\"plies\"}. Its JSON trees have a line for each
position, parents first, at most 100000:
  {\"id\",\"parent\",\"move\",\"to_move\",\"outcome\",\"said\",\"root\"?}
--map prints {\"size\",\"outcome\",\"openings\":[{\"move\",\"outcome\",\"plies\",\"from\"}, …],
  \"after\":[{\"move\",\"images\",\"replies\":[…]}, …]}.

Examples:
  stonework solve --size 3 --proof size3.proof
  stonework solve --size 4 --memory 8GiB --proof size4.proof
  stonework solve --size 4 --moves d4 --memory 4GiB --proof d4.proof --split
  stonework solve --explore size4.proof
  echo \"d4 a1 moves\" | tr ' ' '\\n' | stonework solve --explore size4.proof --json
  stonework solve --explore size4.proof --moves a1 --export a1.sgf --plies 4
  stonework solve --map --size 3
  stonework solve --size 4 --moves \"a4 g4 a1 b3 g7 d1 d7 f3 e2 d2\" --engine mcts
  stonework solve --size 4 --moves \"c3\" --seconds 60 --memory 2GiB --threads 2
  stonework solve --game cover --size 2 --endings cover-2.table";

pub(crate) const SEARCH_ABOUT: &str = "\
Searches for a good move within limits. The engine is a Monte-Carlo tree with RAVE unless another is \
named. The engine links is alpha-beta with an evaluation; alphabeta and minimax have no evaluation, \
and find only forced results within their depth. Without any limit a search takes 5 seconds. On one \
thread, the same seed and the same limits other than time give the same answer.";

pub(crate) const SEARCH: &str = "\
With --json: {\"best\",\"value\",\"line\",\"nodes\",\"simulations\",\"depth\",\"outcome\",\"cpu_seconds\",\"seconds\",
\"memory_bytes\",\"stopped_by\",\"engine\",\"seed\"}. `value` is for the side to move: the mean result in
thousandths or, for a proven win, a million less the plies to the end (negative for a loss).

Examples:
  stonework search --size 8 --seconds 2
  stonework search --size 4 --moves \"d4\" --simulations 20000 --seed 7 --json";

pub(crate) const VERIFY_ABOUT: &str = "\
Checks a proof file with the rules alone, move by move: the strategy in the file must lead to the \
claimed result against every play of the opponent. A file that is cut, edited or out of order is \
refused with the place. Each entry of a table from `table build` is checked against the entries of its \
successors. The exit code is 1 if the claim does not hold.";

pub(crate) const VERIFY: &str = "\
A file may prove several claims. If these are all openings of a size, the value of the empty board
follows from them and is printed, too.

With --json: {\"ok\",\"claim\",\"root\",\"claims\":[{\"root\",\"opening\",\"claim\",\"nodes\",\"records\",\"shared\",
\"plies\",\"longest\",\"kinds\"}, …],\"empty_board\",\"nodes\",\"records\",\"shared\",\"plies\",\"kinds\"}, or
{\"ok\":false,\"error\"}. `longest` is the longest game, in plies, that the loser can force.

Example:
  stonework verify size3.proof";

pub(crate) const GTP_ABOUT: &str = "\
Plays Havannah, Cachex or Cover for any controller of the Go Text Protocol, version 2: reads a command \
per line, and answers each with `=` or `?`, a text and an empty line. `help` lists the commands and \
explains them. Besides the standard commands there are those of Havannah's front ends \
(havannah_winner, swap, playgame, hguicoords, gridcoords, set_option), commands that solve, and \
commands that analyse, with text, SGF, JSON and SVG as output. The sides are white and black, in \
Cachex red and blue, in Cover blue and red.

The time for a move follows from the clock of time_settings and time_left, and never exceeds the \
limits given here; without either, it is 5 seconds. After the end genmove answers `pass`. Ctrl-C, or a \
line `# interrupt`, ends a running search, whose result counts; `quit` or the end of the input ends \
the session.";

pub(crate) const GTP: &str = "\
The colour in play and genmove must be the side to move. With --gogui the coordinates are those of
GoGui's tools: the sides are black, which begins, and white; the number in `boardsize` is the number
of rows of a square (2N-1 for size N); moves are places of that square. For example:
gogui-twogtp -black \"stonework gtp --gogui\" -white … -size 13. A session can change the engine and
any of its options: list_engines, engine, list_options, set_option.

Examples:
  stonework gtp --size 8 --seconds 2
  stonework gtp --engine mcts --simulations 10000 --seed 7 --no-swap
  stonework gtp --gogui --size 7 --seconds 2
  printf 'boardsize 4\\ngenmove white\\nshowboard\\nquit\\n' | stonework gtp --simulations 1000";

pub(crate) const REFEREE_ABOUT: &str = "\
Plays Cachex under the referee of another program: reads a command per line, and answers each with one \
line. The commands are the methods of a player under the referee of COMP30024 (2022). A few lines of \
Python that start this program make a player package for that referee: see \
examples/python/cachex_player.py.

  init red|blue N               begins a game on a board of size N, 3 to 15     ok
  action                        our side's action, not yet played               PLACE R Q, or STEAL
  turn red|blue PLACE R Q       the action that a side has played, ours too     ok
  turn blue STEAL               the same                                        ok
  quit                          ends the session, as the end of the input does  ok

An impossible command is answered with `error: ` and the reason, and changes nothing.";

pub(crate) const REFEREE: &str = "\
The player `cachex` uses at most N² seconds of processor time for a game, as the rules of the course
demand, or the time of --seconds. Its table takes 32 MiB of the 100 MB that the rules allow. With
--player and --size a game begins without `init`.

Examples:
  printf 'init red 5\\naction\\nquit\\n' | stonework referee --game cachex
  stonework referee --game cachex --player blue --size 8 --seconds 20";

pub(crate) const MATCH_ABOUT: &str = "\
Lets two players play pairs of games: the same opening twice, with colours swapped. Our rules decide. \
A player that plays an illegal move, dies, hangs, floods its output or oversteps its time loses that \
game, for the reason given, and the match goes on. A full board is a draw, and so is a game of Cover \
after 1000 plies.

A player is the name of one of ours, perhaps with options (`mcts`, `mcts:simulations=2000,rave=500`; \
`rogers-straight`), or a program that speaks GTP: `gtp:COMMAND`, in words that may be quoted and \
without a shell. `castro:COMMAND` and `lajkonik:COMMAND` know the dialects of these two programs; \
`gtp/grid:COMMAND` and so on name cells in other notations than hgui. In Cover, `endings=0` plays \
cover and bos without the table of one stone against one, and `bos:depth=4` searches to that depth at \
once, as in 1995.

Limits hold for each move. A program can have a limit of time (--seconds, --clock), but not of \
positions. Without any limit a move takes a second, unless all players have limits of their own. The \
time of a program runs while it searches for its move and while it receives the opponent's move. If no \
time is set, a program has --patience for each command. All processes that a program has started end \
with the match.

--out keeps the games in a file. The same command goes on after the match was stopped or killed, and \
may ask for more games. Each line of the file has a checksum, and each game in the file is replayed by \
the rules before it counts. Only one process at a time can use the file. With --sgf, a record that \
exists already must be the record of the same game. Equal seeds give equal games if the limits are \
counts and not times, and if no program takes part.";

pub(crate) const MATCH: &str = "\
With --json, for each game (for white and black read red and blue in Cachex, blue and red in Cover):
  {\"game\",\"round\",\"white\",\"black\",\"outcome\":\"white\"|\"black\"|\"draw\",\"reason\":\"rules\"|\"resigned\"|…,
   \"plies\",\"opening\",\"moves\",\"seconds\":{\"white\",\"black\"},\"cpu_seconds\",\"seeds\"}
then
  {\"players\",\"games\",\"wins\",\"draws\",\"losses\",\"score\",\"as_white\",\"as_black\",\"pairs\",\"elo\",\"error\",
   \"interval\",\"los\",\"faults\",\"complete\",\"sprt\":null|{\"test\",\"llr\",\"lower\",\"upper\",\"verdict\":
   \"open\"|\"lower\"|\"upper\"}}
all for the first player. `pairs` counts pairs by points 0, ½, 1, 1½ and 2; `elo` has the 95 %
`error` of these pairs. Games of earlier runs are in the summary, but not among the lines.
`cpu_seconds` counts a program and its children from the beginning of the game to its end; it is
null if the system does not report it.

Examples:
  stonework match mcts uct --size 5 --games 40 --simulations 1000
  stonework match mcts:simulations=2000 mcts:simulations=500 --size 4 --games 400 --concurrency 2 \\
            --sprt elo0=0,elo1=50 --out match.jsonl --sgf games/
  stonework match mcts \"gtp:stonework gtp --no-swap --engine rave\" --size 6 --seconds 0.5
  stonework match mcts castro:./castro --size 8 --clock 60+1 --openings book.txt";

pub(crate) const TOURNAMENT_ABOUT: &str = "\
Lets every two players play pairs of games, as `match` does, and rates the players: Elo by the \
Bradley-Terry model, with the mean at 0 and 95 % errors. The table has the points of each player \
against each other player, and the number of games that each player has lost by a fault.";

pub(crate) const TOURNAMENT: &str = "\
With --json, a line for each game as in `match`, then
  {\"players\":[{\"name\",\"elo\",\"error\",\"games\",\"wins\",\"draws\",\"losses\",\"points\",\"faults\",
   \"against\":[null|{\"games\",\"wins\",\"draws\",\"losses\",\"points\"},…]},…],\"games\",\"complete\"}
with the best player first; `against` is in the same order.

Examples:
  stonework tournament mcts rave uct rogers-straight --size 5 --games 20 --seconds 0.1 \\
            --svg table.svg
  stonework tournament mcts \"castro:./castro\" lajkonik:./lajkonik-8 --size 8 --seconds 2 \\
            --out t.jsonl";

pub(crate) const TUNE_ABOUT: &str = "\
Searches for good values of a player's numeric options: the player plays against itself with different \
values. Each trial is a pair of games from a random opening with colours swapped. The method `spsa` \
moves all values a little up or down at the same time, and follows the winner. The method \
`generations` breeds a pool of values, as the first Cover program was tuned (double round robin, \
roulette wheel, odd and even parameters crossed, changes of up to a tenth), until all values agree \
within a tenth.

--out keeps the results in a file, each line with a checksum. The same command goes on after the \
tuning was stopped or killed. Only one process at a time can use the file.";

pub(crate) const TUNE: &str = "\
With --json, for each trial: {\"round\",\"trial\",\"a\":{NAME:VALUE,…},\"b\":{…},\"score\"}; then
{\"best\":{…},\"start\":{…},\"trials\",\"complete\"}.

Examples:
  stonework tune mcts --dials exploration=0..2,rave=0..5000 --size 4 --simulations 500 --rounds 200
  stonework tune mcts --dials rave=10..5000 --method generations \\
            --pool 10 --size 5 --simulations 300 --out tune.jsonl --plot fitness.svg";

pub(crate) const PATTERNS_ABOUT: &str = "\
A pattern gives an answer to the last move, by the 6, 12, 18 or 30 cells around it. Each cell is empty \
`.`, of the side that has just moved `x`, of the side to move `o`, off the board `#`, anything `?`, or \
anything but one of these, such as `!x`. After the cells stand the cells of the answer and its \
probability in eighths. All twelve images of a pattern count, and the longest pattern that matches \
gives the answer.

`check` compiles pattern files and prints all faults, a line each on standard error, with file, line \
and column: patterns that conflict, patterns that longer patterns shadow, patterns that no board can \
show. `explain` plays moves and names the pattern that answers the last one. `show` draws patterns: X \
is the last move, * a cell of the answer.";

pub(crate) const PATTERNS: &str = "\
With --json:
  check    for each file {\"file\",\"ok\":true,\"patterns\",\"table_bytes\"}
           or {\"file\",\"ok\":false,\"faults\":[{\"at\":{\"file\",\"line\",\"column\"},\"message\"},…]}
  explain  {\"board\",\"last\",\"code\",\"pattern\":null|{\"name\",\"text\",\"at\"},\"cells\",\"chance\",\"weight\",
           \"diagram\"}
  show     for each pattern {\"name\",\"text\",\"at\",\"chance\",\"weight\",
           \"images\":[{\"cells\",\"answer\":[index,…],\"except\"},…]}

Examples:
  stonework patterns check my.pat
  stonework patterns explain --size 5 --moves \"d4 a1 e6 d5\"
  stonework patterns explain my.pat --size 8 --moves \"h8 g7 f6\"
  stonework patterns show --name bridge";

pub(crate) const TABLE_ABOUT: &str = "\
End-game tables: the exact value of every position with few stones, and the number of plies to its \
end, solved backwards from the ends of the game. There are tables for Cover with a few stones a side \
(--stones 1v1, 2v1, 2v2, …, smaller numbers included), and for Cachex on boards of size 3 and 4, \
without its limits on repetition and turns.

`build` solves a table and writes it to a file. It keeps a checkpoint in FILE.part, from which the \
same command goes on after it was stopped or killed. Only one process at a time can build a FILE. \
`verify` checks every entry of a table against the entries of its successors, with nothing but the \
rules. `query` prints the value of a position and of its moves. `stats` counts wins, losses and draws. \
`verify`, `query` and `stats` read a FILE, or solve the table of --size and --stones in memory.

Endless play is a draw. In Cover, the repetition rule is `four` (not the board of four plies ago) or \
`none`; the last moves, on which the rule depends, are part of a position.";

pub(crate) const TABLE: &str = "\
With --json:
  build   {\"game\",\"parameters\",\"numbers\",\"won\",\"lost\",\"drawn\",\"holes\",\"longest\",\"seconds\",
          \"cpu_seconds\",\"memory_bytes\",\"linked\",\"file\",\"file_bytes\"}
  verify  {\"ok\",\"game\",\"parameters\",\"numbers\",\"seconds\",\"cpu_seconds\",\"error\"?}; the exit code is
          1 if it is not ok
  query   {\"position\",\"to_move\",\"value\":\"win\"|\"loss\"|\"draw\",\"plies\",\"winner\",
          \"moves\":[{\"move\",\"value\",\"plies\"},…],\"line\":[…]}; `value` is for the side to move, that
          of a move for the side that makes it
  stats   an object for each tier:
          {\"part\":\"tier\",\"mine\",\"theirs\",\"numbers\",\"won\",\"lost\",\"drawn\",\"holes\",
          \"longest\":{\"plies\",\"position\"}}; for Cover, positions without last moves, with either
          side to move: {\"part\":\"positions\",\"stones\",\"legal\",\"variants\",\"won_by_blue\",
          \"won_by_red\",\"drawn\",\"longest\"}; and the initial position, if it is in the table:
          {\"part\":\"start\",\"value\",\"plies\",\"moves\"}

Examples:
  stonework table stats --game cover --size 4 --stones 1v1
  stonework table query --game cover --size 4 --stones 1v1 --position \"[A08]x[A11]\" --to-move red
  stonework table build --game cover --size 2 --stones 2v2 --memory 3GiB -o cover-2.table
  stonework table verify cover-2.table
  stonework table query cover-2.table --moves \"C01-D02\"
  stonework table build --game cachex --size 3 -o cachex-3.table";
