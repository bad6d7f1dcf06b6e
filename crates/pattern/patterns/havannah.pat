// Upkeep of links in Havannah: the opponent has just intruded into one of two cells, take the other.
//
//    . b c .        the last move, X, is in the middle; a to f around it, clockwise from the west
//   . a X d .       x  a stone of the side that has just moved
//    . f e .        o  a stone of the side to move, which answers
//                   #  off the board

// The two-bridge between a and c: X is in one of its two cells, b is the other.
//
//      * o
//     o X ?         not if the stones around the other side join a and c already
//      ? ?
bridge: {"o.o???", ".o..../....../......", 8}
    except "o.oooo"

// The stone c is one row from the edge. X is in one of its two links to the edge, d is the other.
//
//     ? ? ? ?
//    ? ? o i ?      a is on the board, and so is p: d is on the edge and no corner
//   m a X * p
//    # # # #
//
// Not if there is another way from c to the edge: by b and a, by a bridge to a stone on a, by i and p.
edge: {"!#?o.##/??????/???!#??", "...o../....../......", 8}
    except "!xoo.??/??????/!#?????"
    except "o.o.??/??????/!#?????"
    except "??o.??/??o???/???o??"
    except "??o.??/??o???/???.??"
