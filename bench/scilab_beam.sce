// The beam of beam.c in Scilab, as one writes it there: element matrices assembled into sparse ones, and one
// quadratic program per step for Scilab's own solver (Goldfarb and Idnani's dual method).
//
//   scilab-cli -nb -f bench/scilab_beam.sce
//
// Clamped-free beam, L = 10, k2 = 282.84, force sin(10 t) per unit of mass, between obstacles; scheme of Dumont
// and Paoli (2008) with beta = 1/2:
//
//   A = M + dt^2 beta S,  B = 2 M - dt^2 (1 - 2 beta) S,  F = B mu^n - A mu^(n-1) + dt^2 G^n,
//   mu^(n+1) = argmin 1/2 x'Ax - F'x,  lower <= D x <= upper
//
// "qpsolve" is the function that the manual names first: bounds on unknowns, or full rows. "qp_solve", beneath it,
// takes sparse rows. Both are given every step. "qp_solve-if" first tries x = A^-1 F with a factor made once, and
// asks the solver only when that x violates a bound. Every number here also stands in
// experiments/dumont-paoli-2008; bench/run compares the displacements.

LENGTH = 10; K2 = 282.84; OMEGA = 10; DT = 1e-3; BETA = 0.5;
CHECK_TIMES = [0.2 0.3 0.4 0.6 1];
END_TIME = 1; RUNS = 5;   // the best run of these counts

// Hermite cubics: displacement and slope at the nodes 1 ... J.
function [M, S, D, load] = hermite(J)
    h = LENGTH / J;
    Me = h / 420 * [156, 22*h, 54, -13*h; 22*h, 4*h^2, 13*h, -3*h^2; ...
                    54, 13*h, 156, -22*h; -13*h, -3*h^2, -22*h, 4*h^2];
    Se = K2 / h^3 * [12, 6*h, -12, 6*h; 6*h, 4*h^2, -6*h, 2*h^2; ...
                     -12, -6*h, 12, -6*h; 6*h, 2*h^2, -6*h, 4*h^2];
    fe = [h/2; h^2/12; h/2; -h^2/12];
    [M, S, load] = assemble(2 * J + 2, J, 2, Me, Se, fe);
    M = M(3:$, 3:$); S = S(3:$, 3:$); load = load(3:$);   // clamped
    D = sparse([(1:J)', (1:2:2*J)'], ones(J, 1), [J, 2*J]);
endfunction

// Cubic B-splines c_-1 ... c_(J+1) = R lambda, where R clamps the left end.
function [M, S, D, load] = spline_basis(J)
    h = LENGTH / J;
    Me = h / 5040 * [20, 129, 60, 1; 129, 1188, 933, 60; 60, 933, 1188, 129; 1, 60, 129, 20];
    Se = K2 / (6 * h^3) * [2, -3, 0, 1; -3, 6, -3, 0; 0, -3, 6, -3; 1, 0, -3, 2];
    fe = h / 24 * [1; 11; 11; 1];
    [M, S, load] = assemble(J + 3, J, 1, Me, Se, fe);
    R = sparse([[(1:3)'; (4:J+3)'], [1; 1; 1; (2:J+1)']], [2; -1; 2; ones(J, 1)], [J+3, J+1]);
    i = (1:J)';
    value = sparse([[i; i; i], [i+1; i+2; i+3]], [ones(J, 1); 4*ones(J, 1); ones(J, 1)] / 6, [J, J+3]);
    M = R' * M * R; S = R' * S * R; D = value * R; load = R' * load;
endfunction

// Element e has the unknowns e*shift + (1, 2, 3, 4), e = 0 ... J-1.
function [M, S, load] = assemble(n, J, shift, Me, Se, fe)
    row = []; column = []; mass = []; stiffness = [];
    load = zeros(n, 1);
    [i, j] = ndgrid(1:4, 1:4);
    for e = 0:J-1
        row = [row; i(:) + e * shift]; column = [column; j(:) + e * shift];
        mass = [mass; Me(:)]; stiffness = [stiffness; Se(:)];
        load((1:4) + e * shift) = load((1:4) + e * shift) + fe;
    end
    M = sparse([row, column], mass, [n, n]);
    S = sparse([row, column], stiffness, [n, n]);
endfunction

// Bounds at the constrained nodes.
function [node, bound] = obstacle(name, J)
    x = (1:J)' * LENGTH / J;
    if name == "convex" then
        node = (1:J)';
        bound = 0.005 + 0.03 * (x - LENGTH / 2).^2;
    else
        node = find(x >= LENGTH / 2 - 1e-12)';
        bound = 0.01 * ones(x);
    end
    bound = bound(node);
endfunction

// Mean of sin(OMEGA t) over the step that begins at t.
function m = force_mean(t)
    m = (cos(OMEGA * t) - cos(OMEGA * (t + DT))) / (OMEGA * DT);
endfunction

// Seconds are those of the processor, of the steps alone; values are rows (t, tip, middle) at CHECK_TIMES.
function [steps, seconds, touching, values] = march(name, basis, J, solver)
    if basis == "p3" then
        [M, S, D, load] = hermite(J);
    else
        [M, S, D, load] = spline_basis(J);
    end
    [node, bound] = obstacle(name, J);
    A = M + DT^2 * BETA * S; B = 2 * M - DT^2 * (1 - 2 * BETA) * S;
    Dc = D(node, :);
    full_A = full(A); C = [Dc; -Dc]'; lowest = [-bound; -bound];   // C'x >= lowest
    // qpsolve takes bounds on unknowns (p3), or full rows (B-splines): full_C x <= bounds, ci <= x <= cs
    ci = -%inf * ones(load); cs = -ci;
    full_C = [full(Dc); -full(Dc)]; bounds = [bound; bound];
    if basis == "p3" then
        ci(2 * node - 1) = -bound; cs(2 * node - 1) = bound;
        full_C = []; bounds = [];
    end
    factor = umf_lufact(A);
    before = zeros(load); now = before;
    touching = 0; values = [];
    steps = round(END_TIME / DT) - 1;
    timer();
    for n = 1:steps
        t = n * DT;
        G = (BETA * force_mean(t + DT) + (1 - 2 * BETA) * force_mean(t) + BETA * force_mean(t - DT)) * load;
        F = B * now - A * before + DT^2 * G;
        asked = %t;
        if solver == "qp_solve-if" then
            after = umf_lusolve(factor, F);
            asked = or(abs(Dc * after) > bound);
        end
        if solver == "qpsolve" then
            [after, active] = qpsolve(full_A, -F, full_C, bounds, ci, cs, 0);
            touching = touching + or(active > 0);
        elseif asked then
            [after, active] = qp_solve(full_A, F, C, lowest, 0);
            touching = touching + or(active > 0);
        end
        before = now; now = after;
        if or(n + 1 == round(CHECK_TIMES / DT)) then
            u = D * now;
            values = [values; (n + 1) * DT, u($), u(J / 2)];
        end
    end
    seconds = timer();
    umf_ludel(factor);
endfunction

function measure(name, basis, J, solver)
    best = %inf;
    for run = 1:RUNS
        [steps, seconds, touching, values] = march(name, basis, J, solver);
        best = min(best, seconds);
    end
    system = msprintf("%s-%s-%d", name, basis, J);
    mprintf("%-18s %-18s %8d steps %10.1f ns/step %12.0f steps/s %6d in contact\n", ...
            system, solver, steps, 1e9 * best / steps, steps / best, touching);
    for i = 1:size(values, 1)
        mprintf("displacement %s %s t = %g %.9f %.9f\n", solver, system, values(i, :));
    end
endfunction

for J = [40 160]
    for name = ["convex" "flat"]
        for basis = ["p3" "bspline"]
            for solver = ["qpsolve" "qp_solve" "qp_solve-if"]
                measure(name, basis, J, solver);
            end
        end
    end
end
exit(0);
