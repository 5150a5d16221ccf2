/* 0 <= p _|_ G p + b >= 0 for a chain: G tridiagonal, couplings G_i,i+1 = -c_i <= 0.
 *
 * With such couplings an impulse only ever asks its neighbours for more: contacts enter the set of those that
 * carry impulses and never leave it, whatever the order (Chandrasekaran 1970). The set falls into blocks of
 * neighbouring contacts. Contacts are taken from the left; one that is pressed together joins the blocks at
 * its two sides, and the larger impulses of the new block may press the contact on its left:
 *
 *      p p p 0 p p k . . .       w_k = b_k - c_k-1 p_k-1 < 0:  k enters, then the contact left of its block
 *
 * A block T is known by what its neighbours see of it: the impulses at its two ends, -(T^-1 b), and the four
 * corners of T^-1. A contact l between blocks L and R gets
 *
 *      p_l = (-b_l + c_l-1 p_L,last + c_l p_R,first) / s,   s = G_ll - c_l-1^2 (L^-1)_last,last
 *                                                                   - c_l^2 (R^-1)_first,first
 *
 * so every contact is treated twice at most. For balls in a row this is the pooling of neighbours that move
 * on with their common velocity. The impulses are solved for at the end, with corrections. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impact_law.h"

/* Numbers only, so that the work space can be an array of them. */
typedef struct chain_block {
    double first, last;       /* contacts */
    double p_first, p_last;   /* impulses there */
    double at_first, at_last; /* (T^-1)_first,first and last,last */
    double across;            /* (T^-1)_first,last */
} chain_block;

enum {
    BLOCK_DOUBLES = sizeof(chain_block) / sizeof(double),
    CORRECTIONS = 3,
};

typedef struct chain {
    const carom_contact_space *space;
    const double *b;
    chain_block *block; /* a stack, from the left */
    int blocks;
    double dependent; /* share of G_ii below which s is rounding */
} chain;

/* c_i = -G_i,i+1 */
static double coupling(const carom_contact_space *space, int i)
{
    const int place = space->diagonal[i] + 1;
    return place < space->start[i + 1] ? -space->entry[place] : 0.0;
}

static double diagonal(const carom_contact_space *space, int i)
{
    return space->entry[space->diagonal[i]];
}

static double dependent_share(const carom_contact_space *space)
{
    return 8.0 * space->contacts * DBL_EPSILON;
}

bool impact_chain_fits(const carom_contact_space *space)
{
    for (int i = 0; i < space->contacts; i++)
        for (int k = space->start[i]; k < space->start[i + 1]; k++)
            if (space->column[k] != i && (abs(space->column[k] - i) > 1 || space->entry[k] > 0.0))
                return false;
    return true;
}

size_t impact_chain_work(const carom_impact_sizes *sizes)
{
    return (BLOCK_DOUBLES + 2) * (size_t)sizes->contacts + (size_t)sizes->coordinates;
}

/* ---- which contacts carry impulses ------------------------------------------------------------------- */

static chain_block *block_that_ends_at(const chain *c, int last, int above)
{
    chain_block *top = c->blocks > above ? &c->block[c->blocks - 1 - above] : NULL;
    return top && (int)top->last == last ? top : NULL;
}

/* Contact l with the blocks beside it; NULL: there is none. */
typedef struct chain_joint {
    int contact;
    const chain_block *left, *right;
    double violation; /* -(G p + b)_l while p_l = 0 */
    double terms;     /* what its rounding is relative to */
    double pivot;     /* s */
} chain_joint;

static chain_joint joint_at(const chain *c, int contact, const chain_block *left, const chain_block *right)
{
    const double from_left = left ? coupling(c->space, contact - 1) : 0.0;
    const double from_right = right ? coupling(c->space, contact) : 0.0;
    chain_joint joint = {.contact = contact, .left = left, .right = right};
    joint.violation = -c->b[contact];
    joint.terms = fabs(c->b[contact]);
    joint.pivot = diagonal(c->space, contact);
    if (left) {
        joint.violation += from_left * left->p_last;
        joint.terms += from_left * left->p_last;
        joint.pivot -= from_left * from_left * left->at_last;
    }
    if (right) {
        joint.violation += from_right * right->p_first;
        joint.terms += from_right * right->p_first;
        joint.pivot -= from_right * from_right * right->at_first;
    }
    return joint;
}

static chain_block joined(const chain *c, const chain_joint *joint)
{
    const chain_block *left = joint->left, *right = joint->right;
    const double s = joint->pivot, p = joint->violation / s;
    const double to_left = left ? left->across * coupling(c->space, joint->contact - 1) : 1.0;
    const double to_right = right ? right->across * coupling(c->space, joint->contact) : 1.0;
    return (chain_block){
        .first = left ? left->first : joint->contact,
        .last = right ? right->last : joint->contact,
        .p_first = (left ? left->p_first : 0.0) + to_left * p,
        .p_last = (right ? right->p_last : 0.0) + to_right * p,
        .at_first = (left ? left->at_first : 0.0) + to_left * to_left / s,
        .at_last = (right ? right->at_last : 0.0) + to_right * to_right / s,
        .across = to_left * to_right / s,
    };
}

/* Contact and all that it presses to its left. False when one depends on its neighbours and is pressed
 * together nevertheless: nothing stops the impulses then. */
static bool enter(chain *c, int contact)
{
    const chain_block *right = NULL;
    for (; contact >= 0; contact = (int)right->first - 1) {
        const chain_block *left = block_that_ends_at(c, contact - 1, right ? 1 : 0);
        const chain_joint joint = joint_at(c, contact, left, right);
        if (!(joint.violation > 0.0))
            return true;
        if (!(joint.pivot > c->dependent * diagonal(c->space, contact)))
            return joint.violation <= c->dependent * joint.terms;
        const chain_block block = joined(c, &joint);
        c->blocks -= (left ? 1 : 0) + (right ? 1 : 0);
        c->block[c->blocks++] = block;
        right = &c->block[c->blocks - 1];
    }
    return true;
}

/* ---- how large they are ------------------------------------------------------------------------------ */

/* Pivots of L D L^T block by block; 0 outside. */
static void factor(const chain *c, double *pivot)
{
    memset(pivot, 0, (size_t)c->space->contacts * sizeof *pivot);
    for (int k = 0; k < c->blocks; k++)
        for (int i = (int)c->block[k].first; i <= (int)c->block[k].last; i++) {
            pivot[i] = diagonal(c->space, i);
            if (i > (int)c->block[k].first)
                pivot[i] -= coupling(c->space, i - 1) * coupling(c->space, i - 1) / pivot[i - 1];
        }
}

/* p -= T^-1 residual on the blocks; residual is overwritten. */
static void correct(const chain *c, const double *pivot, double *residual, double *p)
{
    for (int k = 0; k < c->blocks; k++) {
        const int first = (int)c->block[k].first, last = (int)c->block[k].last;
        for (int i = first + 1; i <= last; i++)
            residual[i] += coupling(c->space, i - 1) / pivot[i - 1] * residual[i - 1];
        for (int i = last; i >= first; i--) {
            if (i < last)
                residual[i] += coupling(c->space, i) * residual[i + 1];
            residual[i] /= pivot[i];
            p[i] -= residual[i];
        }
    }
}

static bool find_blocks(chain *c)
{
    for (int i = 0; i < c->space->contacts; i++)
        if (!enter(c, i))
            return false;
    return true;
}

impact_chain_outcome impact_chain_solve(const carom_contact_space *space, const double *b, double *work,
                                        double *p)
{
    const ptrdiff_t contacts = space->contacts;
    chain c = {.space = space, .b = b, .block = (void *)work, .dependent = dependent_share(space)};
    double *pivot = work + BLOCK_DOUBLES * contacts, *residual = pivot + contacts, *dv = residual + contacts;
    memset(p, 0, (size_t)contacts * sizeof *p);
    if (!find_blocks(&c))
        return IMPACT_CHAIN_INFEASIBLE;
    factor(&c, pivot);
    for (int round = 0; round < CORRECTIONS; round++) {
        contact_space_answer(space, b, p, dv, residual);
        correct(&c, pivot, residual, p);
    }
    for (int i = 0; i < space->contacts; i++)
        p[i] = fmax(0.0, p[i]);
    return IMPACT_CHAIN_SOLVED;
}

bool impact_chain_redundant(const carom_contact_space *space, double *work)
{
    chain_block all = {.first = 0, .last = space->contacts - 1};
    const chain c = {.space = space, .block = &all, .blocks = 1};
    factor(&c, work);
    for (int i = 0; i < space->contacts; i++)
        if (!(work[i] > dependent_share(space) * diagonal(space, i)))
            return true;
    return false;
}
