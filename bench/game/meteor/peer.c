#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// The board has 10 rows of 5 hexagonal cells; odd rows lie half a cell to the right. Sets of cells
// are the bits of a word, row by row.
enum { ROWS = 10, COLUMNS = 5, CELLS = ROWS * COLUMNS, PIECES = 10, SIZE = 5, WAYS = 12 };

static const uint64_t full = (1ull << CELLS) - 1;
static const uint64_t west = 0x210842108421, east = 0x2108421084210; // the outer columns
static const uint64_t even = 0x1f07c1f07c1f;                         // rows 0, 2, ...

// The cells of a piece as (row, diagonal): a diagonal leads down to the right.
typedef struct {
    int row, diagonal;
} Cell;

static const Cell shapes[PIECES][SIZE] = {
    {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, -1}},   {{0, 0}, {0, 1}, {0, 3}, {1, 1}, {1, 2}},
    {{0, 0}, {0, 1}, {0, 2}, {1, -1}, {2, -1}},  {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {2, -1}},
    {{0, 0}, {0, 1}, {1, -2}, {1, -1}, {2, -1}}, {{0, 0}, {0, 1}, {0, 2}, {1, -1}, {1, 0}},
    {{0, 0}, {0, 1}, {1, -2}, {1, -1}, {2, -2}}, {{0, 0}, {0, 1}, {0, 2}, {1, -1}, {1, 1}},
    {{0, 0}, {0, 1}, {0, 2}, {1, -2}, {1, -1}},  {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}},
};

typedef struct {
    uint64_t sets[PIECES][CELLS][WAYS]; // how a piece may lie with a given first cell
    int ways[PIECES][CELLS];
    uint64_t placed[PIECES];
    int limit, count;
    int8_t *least, *greatest;
} Search;

int peer_meteor(int limit, int8_t *least, int8_t *greatest);

// --- sets ------------------------------------------------------------------------------------

// The set and its neighbours.
static uint64_t grow(uint64_t set)
{
    uint64_t sides = set | (set & ~east) << 1 | (set & ~west) >> 1;
    uint64_t a = set & even, b = set & ~even; // a's lower neighbours are below and to the left
    uint64_t lean = a | (a & ~west) >> 1 | b | (b & ~east) << 1;
    return sides | lean << COLUMNS | lean >> COLUMNS;
}

// Whether the empty cells are not divided into parts of a wrong size.
static bool can_be_filled(uint64_t empty)
{
    while (empty) {
        uint64_t part = empty & -empty, before;
        do {
            before = part;
            part = grow(part) & empty;
        } while (part != before);
        if (__builtin_popcountll(part) % SIZE) return false;
        empty &= ~part;
    }
    return true;
}

// --- the ways to place the pieces --------------------------------------------------------------

static void turn(Cell *cells)
{
    for (int i = 0; i < SIZE; i++)
        cells[i] = (Cell){cells[i].row + cells[i].diagonal, -cells[i].row};
}

static void mirror(Cell *cells)
{
    for (int i = 0; i < SIZE; i++) cells[i] = (Cell){cells[i].diagonal, cells[i].row};
}

static Cell first_of(const Cell *cells)
{
    Cell first = cells[0];
    for (int i = 1; i < SIZE; i++) {
        Cell c = cells[i];
        if (c.row < first.row || (c.row == first.row && c.diagonal < first.diagonal)) first = c;
    }
    return first;
}

// The cells with the first one at (row, column); 0 when some are outside of the board.
static uint64_t set_at(const Cell *cells, int row, int column)
{
    Cell first = first_of(cells);
    uint64_t set = 0;
    for (int i = 0; i < SIZE; i++) {
        int r = row + cells[i].row - first.row;
        int c = column - row / 2 + cells[i].diagonal - first.diagonal + r / 2;
        if (r >= ROWS || c < 0 || c >= COLUMNS) return 0;
        set |= 1ull << (COLUMNS * r + c);
    }
    return set;
}

static void find_ways(Search *s)
{
    memset(s->ways, 0, sizeof s->ways);
    for (int p = 0; p < PIECES; p++) {
        Cell cells[SIZE];
        memcpy(cells, shapes[p], sizeof cells);
        for (int way = 0; way < WAYS; way++) {
            for (int i = 0; i < CELLS; i++) {
                uint64_t set = set_at(cells, i / COLUMNS, i % COLUMNS);
                if (set && can_be_filled(full & ~set)) s->sets[p][i][s->ways[p][i]++] = set;
            }
            turn(cells);
            if (way == WAYS / 2 - 1) mirror(cells);
        }
    }
}

// --- search ------------------------------------------------------------------------------------

static void record(Search *s)
{
    int8_t board[CELLS];
    for (int p = 0; p < PIECES; p++)
        for (int i = 0; i < CELLS; i++)
            if (s->placed[p] >> i & 1) board[i] = (int8_t)p;
    if (!s->count || memcmp(board, s->least, CELLS) < 0) memcpy(s->least, board, CELLS);
    if (!s->count || memcmp(board, s->greatest, CELLS) > 0) memcpy(s->greatest, board, CELLS);
    s->count++;
}

// Whether the search goes on.
static bool search(Search *s, uint64_t board, unsigned used)
{
    if (board == full) {
        record(s);
        return s->count < s->limit;
    }
    int at = __builtin_ctzll(~board);
    for (int p = 0; p < PIECES; p++) {
        if (used >> p & 1) continue;
        for (int k = 0; k < s->ways[p][at]; k++) {
            uint64_t set = s->sets[p][at][k];
            if (board & set || !can_be_filled(full & ~(board | set))) continue;
            s->placed[p] = set;
            if (!search(s, board | set, used | 1u << p)) return false;
        }
    }
    return true;
}

int peer_meteor(int limit, int8_t *least, int8_t *greatest)
{
    Search s;
    s.limit = limit;
    s.count = 0;
    s.least = least;
    s.greatest = greatest;
    find_ways(&s);
    search(&s, 0, 0);
    return s.count;
}
