# The table of bench/run-contact, from the rows of `contact solve` and of siconos_contact.py.
#
#   awk -v limit=SECONDS -f contact.awk ROWS...
$1 == "problem" {
    name[++problems] = $2
    contacts[$2] = $3
    own[$2] = $4
    way[$2] = substr($7, 1, 1)
    solved[$2] = $6 == "ok" && $5 + 0 <= 1e-8
}
$1 == "reduction" && $3 != "inf" { reduction[$2] = $3 + 0 }
$1 == "reduction" && $3 == "inf" { no_reduction[$2] = 1 }
$1 == "siconos" {
    compared = 1
    bare = $5 + 0
    worst_error = $6 + 0 > worst_error ? $6 + 0 : worst_error
    if (!($2 in given) || bare < given[$2]) given[$2] = bare
    if ($4 != "motion" && $2 in no_reduction) {
        why[$2, $3] = why[$2, $3] " " $4 ":reduction"
        next
    }
    whole = bare + ($4 == "motion" ? 0 : reduction[$2])
    if (!(($2, $3) in other) || whole < other[$2, $3]) { other[$2, $3] = whole; variant[$2, $3] = $4 }
    if (!($2 in best) || whole < best[$2]) best[$2] = whole
}
$1 == "unsolved" {
    compared = 1
    if ($5 == "slower") slower[$2, $3] = 1
    else why[$2, $3] = why[$2, $3] " " $4 ":" $5
}
$1 == "left" { left[$2] = $3 } # Siconos does not know such problems
function milliseconds(seconds) { return sprintf(seconds < 1e-3 ? "%.4f" : "%.2f", 1e3 * seconds) }
function cell(problem, solver) {
    if ((problem, solver) in other)
        return milliseconds(other[problem, solver]) substr(variant[problem, solver], 1, 1)
    return (problem, solver) in slower ? "> " : "- "
}
function mean(sum, count) { return count ? sprintf("%.2f", exp(sum / count)) : "-" }
# Ratios in order, for the worst of them.
function insert(problem, ratio,    i) {
    for (i = ++ordered; i > 1 && ratio_of[order[i - 1]] > ratio; i--) order[i] = order[i - 1]
    order[i] = problem
    ratio_of[problem] = ratio
}
END {
    count = split("NSGS NSN_AC ADMM", solver, " ")
    print "milliseconds of the processor to carom_coulomb_error <= 1e-8, one core; -: not within " limit " s; >: ended, much slower than the best"
    print "carom: g: without W, r: reduced to W and solved, l: W is given"
    print "Siconos: b: 3x3 blocks, f: error in every iteration, d: dense matrix, all with its reduction to W; m: equations of motion"
    print "rolling friction (roll-): carom_rolling_error; Siconos: s: sparse W, f, b: 5x5 blocks, W given for nothing; torsion: not known to it"
    printf "%-38s %8s %11s %11s %11s %11s %8s\n", "problem", "contacts", "carom ", "NSGS ", "NSN_AC ", "ADMM ", "ratio"
    for (i = 1; i <= problems; i++) {
        p = name[i]
        ratio = "-"
        if (solved[p] && p in given) {
            gift += log(given[p] / own[p])
            gifts++
        }
        if (!solved[p]) {
            failed = failed "\n  carom: " p
        } else if (p in best) {
            ratio = sprintf("%.1f", best[p] / own[p])
            one = log(best[p] / own[p])
            all += one
            alls++
            insert(p, best[p] / own[p])
            if (best[p] > 1e-3 || own[p] > 1e-3) {
                large += one
                larges++
                if (one <= 0) faster = faster " " p
            }
        } else if (p in left) {
            ratio = left[p]
        } else if (compared) {
            alone = alone " " p
            alones++
            least += log(limit / own[p])
            ratio = sprintf(">%.0f", limit / own[p])
        }
        printf "%-38s %8d %11s %11s %11s %11s %8s\n", p, contacts[p], solved[p] ? milliseconds(own[p]) way[p] : "-",
               cell(p, "NSGS"), cell(p, "NSN_AC"), cell(p, "ADMM"), ratio
        for (k = 1; k <= count; k++)
            if (why[p, solver[k]] != "" && !((p, solver[k]) in other) && !((p, solver[k]) in slower))
                unsolved = unsolved "\n  Siconos " solver[k] ": " p why[p, solver[k]]
    }
    if (compared) {
        printf "geometric mean of the ratios, best of the three over carom: %s over all %d problems, ", mean(all, alls), alls
        printf "%s over %d above 1 ms\n", mean(large, larges), larges
        if (alones)
            printf "with the %d that only carom solves, Siconos taken at its %g s: %s\n", alones, limit, mean(all + least, alls + alones)
        printf "the same when Siconos is given W for nothing, and carom is not: %s\n", mean(gift, gifts)
        printf "least ratios:"
        for (i = 1; i <= 12 && i <= ordered; i++) printf " %s %.1f", order[i], ratio_of[order[i]]
        printf "\nabove 1 ms and carom not faster:%s\n", (faster ? faster : " none")
        print "solved by carom only:" (alone ? alone : " none")
        printf "largest carom_coulomb_error of a solution of Siconos that counts: %.1e\n", worst_error
    }
    print "unsolved:" (failed unsolved ? failed unsolved : " none")
    exit failed != ""
}
