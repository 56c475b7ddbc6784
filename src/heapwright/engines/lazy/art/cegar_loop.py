"""The CEGAR loop: build the abstract reachability tree, and replay or refute abstract counterexamples.

Every check that may fail at a node has an abstract counterexample from the entry. If its path formula is unsatisfiable,
the precision is refined and the tree is rebuilt from the first affected node. If it is satisfiable, the interpreter
replays it. A check whose counterexample can be neither refuted nor replayed is given up: it is unknown, and runs end
there as at a failing check; leaks end no run. The tree is complete when no node is waiting.
"""

from __future__ import annotations

from collections.abc import Iterator

from heapwright.base.errors import LimitReached
from heapwright.engines.api import Limits, NullProgress, Progress
from heapwright.engines.kit.fixpoint import Fixpoint
from heapwright.engines.lazy.art.merging import Merging
from heapwright.engines.lazy.art.precision_refinement import Change, Refinement, program_predicates
from heapwright.engines.lazy.art.predicate_abstraction import Abstraction, Precision
from heapwright.engines.lazy.art.reachability_tree import AbstractState, Covering, Node
from heapwright.engines.lazy.art.search_options import CheckResults, Options
from heapwright.engines.lazy.art.shape_regions import InconsistentShapes, Shapes
from heapwright.engines.lazy.art.value_groups import ValueGroups
from heapwright.engines.lazy.heap.aliases import Aliases
from heapwright.engines.lazy.heap.coarse_aliases import loads_of
from heapwright.engines.lazy.logic.solver import Solver
from heapwright.engines.lazy.logic.terms import NULL, Formula, conj, ne, var
from heapwright.engines.lazy.paths.coarse_semantics import CoarseSemantics
from heapwright.engines.lazy.paths.command_semantics import Require, Semantics
from heapwright.engines.lazy.paths.path_constraints import as_lines, constraints
from heapwright.engines.lazy.paths.path_formula import Path, PathFormula
from heapwright.engines.lazy.paths.path_replay import replay_path
from heapwright.engines.lazy.precision.tracking_definition import Tracking
from heapwright.engines.tvl.api import SharedTransformers
from heapwright.logic.connectives import FALSE, TRUE
from heapwright.program import commands as c
from heapwright.program.checks import Check, CheckKind, Goal
from heapwright.program.expressions import Compare
from heapwright.program.graph import Program

ASSERTIONS = -1  # a part of the checks; others are components
ATTEMPTS = 20  # maximum number of further counterexamples to a check that was given up
ENDLESS = "the maximum number of refinements was reached"


class Search:
    """`lean`: pointers that are not live are dropped; leak alarms may then be spurious. `part`: the checks of this
    search, by default all: those on pointers into a component and its leaks, or assertions and what is about no
    component. A run ends where another part's check fails. Components that do the same share `alike`."""

    def __init__(
        self,
        program: Program,
        goal: Goal,
        aliases: Aliases,
        options: Options | None = None,
        *,
        lean: bool = False,
        part: int | None = None,
        alike: SharedTransformers | None = None,
    ) -> None:
        self.part = part
        self.program = program
        self.goal = goal
        self.options = options or Options()
        self.aliases = aliases
        self.solver = Solver()
        self.semantics = (CoarseSemantics if aliases.coarse else Semantics)(program, aliases)
        self.loads = loads_of(program, aliases)
        self.precision = Precision()
        self.abstraction = Abstraction(self.semantics, self.solver, self.precision)
        self.leaks = any(check.kind is CheckKind.LEAK and goal.selects(check) for check in program.checks)
        whole = goal.pictures or (self.leaks and not lean)
        assert not (whole and aliases.live_only), "a dead pointer keeps a block reachable"
        self.shapes = Shapes(self.semantics, self.loads, goal, self.solver, leaks=whole, alike=alike)
        self.groups = ValueGroups(self.shapes, self.abstraction)
        self.refinement = Refinement(
            self.semantics,
            self.solver,
            self.precision,
            self.shapes if self.options.shapes == "lazy" else None,
            checked=self.options.checked,
            paths=self.options.paths,
        )
        if self.options.shapes == "always":
            known = tuple(program_predicates(self.semantics, self.loads))
            for component in aliases.components:
                self.shapes.tracking.refine_everywhere(component, Tracking.finest(known))
        elif goal.pictures and self.options.shapes == "lazy":  # there are no pictures of untracked components
            for component in aliases.components:
                self.shapes.tracking.refine_everywhere(component, Tracking.finest())
        self.covering = self._new_covering()
        self.tree: Fixpoint[AbstractState]
        self.found = CheckResults()
        self.posts = 0
        self._progress: Progress = NullProgress()
        self._asked = {check.id for check in program.checks if goal.selects(check) and self.may_decide(check)}
        self._attempts: dict[str, int] = {}

    def run(self, limits: Limits, progress: Progress) -> CheckResults:
        self.shapes.limits = limits
        try:
            self._run(limits, progress)
        except LimitReached as reached:
            self.found.limit = str(reached)
        return self.found

    def _run(self, limits: Limits, progress: Progress) -> None:
        self._progress = progress
        self._new_tree(limits, progress)
        while True:
            done = len(self.refinement.log)
            try:
                more = self.tree.step()
            except InconsistentShapes as contradiction:
                more = True
                self._refine_shapes(contradiction, limits, progress)
            for number, logged in enumerate(self.refinement.log[done:], done + 1):
                progress.note(f"refinement {number}: {logged.summary}")
            if self.options.until_alarm and self.found.given_up:
                self.found.limit = "the analysis ended at the first alarm"
                return
            if self.all_violated and not self.goal.pictures and not self.goal.audit:
                return
            if not more:
                break
        self.found.complete = self.tree.complete
        if not self.found.complete:
            self.found.limit = "the time or state limit was reached"

    @property
    def all_violated(self) -> bool:
        """Whether every selected check is violated, so that nothing is left to decide."""
        return bool(self._asked) and self._asked <= self.found.violated.keys()

    def may_decide(self, check: Check) -> bool:
        """Whether a check may be one of this search's."""
        if check.kind is CheckKind.LEAK:
            return self.part != ASSERTIONS
        return self.part in (None, ASSERTIONS) or check.kind not in (CheckKind.ASSERT, CheckKind.SHAPE)

    def _decides(self, number: int) -> bool:
        """Whether the checks of a command are this search's."""
        edge = self.program.graph.edges[number]
        component = self.aliases.component(edge.source, getattr(edge.command, "base", ""))
        return self.part in (None, ASSERTIONS if component is None else component)

    def _refine_shapes(self, contradiction: InconsistentShapes, limits: Limits, progress: Progress) -> None:
        """Restarts with the finest shape class of a component; raises if that is the inconsistent one."""
        component = contradiction.component
        known = self.shapes.tracking.whole(component).predicates
        if not self.shapes.tracking.refine_everywhere(component, Tracking.finest(known)):
            raise contradiction
        self._new_tree(limits, progress)

    def _new_tree(self, limits: Limits, progress: Progress) -> None:
        """Starts a new tree."""
        self.covering = self._new_covering()
        self.tree = Fixpoint(self.program.graph, self, None, limits, progress, together=False, tree=True)
        self.tree.start()

    def _new_covering(self) -> Covering:
        """In pictures, a covered node goes on as one other."""
        return Covering(self.covers, None if self.goal.pictures else Merging(self.abstraction))

    # --- the domain of the fixpoint ----------------------------------------------------------------------------------

    def initial(self) -> Iterator[AbstractState]:
        steps = [path_step.step for path_step in Path(self.semantics, ()).steps()]
        for cube in self.abstraction.start(steps):
            yield AbstractState(cube, {}, self.precision.version(self.program.graph.entry))

    def covers(self, bigger: AbstractState, smaller: AbstractState) -> bool:
        return self.abstraction.covers(bigger.cube, smaller.cube) and self.shapes.covers(bigger.shapes, smaller.shapes)

    def keep(self, region: AbstractState, node: Node | None, edge: int) -> AbstractState:
        """Abstract states are not joined; coverage is tested when a node is taken from the worklist."""
        return region

    def current(self, nodes: list[Node]) -> list[Node]:
        (node,) = nodes
        if not node.alive or node.number in self.covering.coverers or node.pending == []:
            return []
        if node.pending is None:
            if self.covering.cover(node):
                return []
            if not self.covering.expand(node):
                node.pending = []
                return []
        if len(self.refinement.log) >= self.options.refinements:
            raise LimitReached(ENDLESS)
        return nodes

    def size(self) -> int:
        return self.tree.created

    def status(self, waiting: int) -> str:
        log = self.refinement.log
        latest = f", last: {log[-1].added[-1]}" if log else ""
        return f"{self.tree.created} nodes, {len(log)} refinements{latest}"

    def post(self, node: Node, number: int) -> Iterator[AbstractState]:
        """The successors over an edge; none if a check may fail on it and the precision was refined."""
        for check, condition in self.failures(node, number):
            if self.found.has_result(check):
                self._retry(node, number, check, condition)
                continue
            change = self._counterexample(node, number, check, condition)
            if change is not None:
                self._rebuild(node, change)
                return
        yield from self.successors(node, number)

    def successors(self, node: Node, number: int) -> list[AbstractState]:
        """The abstract post of an edge."""
        self.posts += 1
        version = self.precision.version(self.program.graph.edges[number].target)
        found: list[AbstractState] = []
        state = self._open(node)
        for group in self.groups.groups(state.shapes, number, state.cube):
            cube = (*state.cube, *group.before)
            after = self.shapes.post(group.shapes, number, cube, self._claims(number))
            if after is not None:
                cubes = self.abstraction.post(cube, number, group.after)
                found += (AbstractState(one, after, version) for one in cubes)
        return found

    def _open(self, node: Node) -> AbstractState:
        """What of a node's state has its successors here; nodes of which nothing is left are not followed."""
        state = self.covering.open_state(node)
        assert state is not None
        return state

    def _claims(self, number: int) -> list[Formula]:
        if not isinstance(self.program.graph.edges[number].command, c.Assume | c.Assert):
            return []
        return [step.formula for step in self.semantics.effects[number].steps if isinstance(step, Require)]

    # --- what may fail ---------------------------------------------------------------------------------------------

    def failures(self, node: Node, number: int) -> Iterator[tuple[Check, Formula]]:
        """The checks of an edge that the regions of a node do not exclude."""
        edge = self.program.graph.edges[number]
        for check, condition in self.semantics.effects[number].failures if self._decides(number) else ():
            if self.goal.includes(check) and self._may_fail(node, number, check, condition):
                yield check, condition
        for check in edge.checks if self.part != ASSERTIONS else ():
            if check.kind is CheckKind.LEAK and self.goal.selects(check) and self._leaking(node, number, check):
                yield check, TRUE

    def _may_fail(self, node: Node, number: int, check: Check, condition: Formula) -> bool:
        if condition == FALSE or not self.abstraction.possible(node.state.cube, condition):
            return False
        command, location = self.program.graph.edges[number].command, node.location
        if isinstance(command, c.Assert):
            return self._may_break(node, number, command, condition)
        component = self.aliases.component(location, getattr(command, "base", ""))
        shapes = self._open(node).shapes
        if component is None or shapes.get(component) is None:
            return True
        return self.shapes.may_fail(shapes, number, check.id, component, node.state.cube)

    def _may_break(self, node: Node, number: int, command: c.Assert, condition: Formula) -> bool:
        """Whether the structures do not exclude that an assertion fails."""
        shapes = self._open(node).shapes
        if isinstance(command.literal, Compare):
            return self.shapes.admit(shapes, node.location, node.state.cube, [condition])
        return all(
            self.shapes.may_fail(shapes, number, command.check.id, component, node.state.cube)
            for component, projection in self.shapes.projections.items()
            if shapes.get(component) is not None and projection.decides(node.location, command.literal)
        )

    def _leaking(self, node: Node, number: int, check: Check) -> list[int]:
        """The components that may lose a block."""
        if not self.abstraction.post(node.state.cube, number):
            return []
        found = self.shapes.may_leak(self._open(node).shapes, number, check.id, node.state.cube)
        return [one for one in found if self.part in (None, one)]

    def _open_components(self, node: Node, number: int, check: Check) -> list[int]:
        """The components whose structures may exclude that a check fails."""
        if check.kind is CheckKind.LEAK:
            return self._leaking(node, number, check)
        command, projections = self.program.graph.edges[number].command, self.shapes.projections
        literal = command.literal if isinstance(command, c.Assert) else None
        decided = [one for one, part in projections.items() if literal and part.decides(node.location, literal)]
        return decided or list(projections)

    # --- counterexamples -------------------------------------------------------------------------------------------

    def _counterexample(self, node: Node, number: int, check: Check, condition: Formula) -> Change | None:
        """The refinement from an abstract counterexample; None if the check is violated or given up."""
        leak = check.kind is CheckKind.LEAK
        edges = (*node.edges(), number) if leak else node.edges()
        path = Path(self.semantics, edges, condition)
        formula = PathFormula(path.steps())
        feasible = self.solver.satisfiable(constraints(path, formula.steps, self.options.paths))
        if self.options.print_paths:
            self._print(path, check, feasible)
        if feasible and self._replay_violates(node, number, check, condition, formula):
            return None
        change = None
        if self.options.shapes == "always":
            pass
        elif not feasible:
            change = self.refinement.refine(self._any_failure(path, node, number), check, node.path())
        elif leak or self.aliases.coarse or check.kind is CheckKind.SHAPE:
            components = self._open_components(node, number, check)
            change = self.refinement.track_everywhere(components, path, check, node.path())
        if change is None:
            self.found.given_up[check.id] = (self._reason(feasible, check), (*node.edges(), number))
        return change

    def _retry(self, node: Node, number: int, check: Check, condition: Formula) -> None:
        """Replays another counterexample to a check that was given up."""
        if check.id in self.found.violated or self._attempts.get(check.id, 0) >= ATTEMPTS:
            return
        self._attempts[check.id] = self._attempts.get(check.id, 0) + 1
        edges = (*node.edges(), number) if check.kind is CheckKind.LEAK else node.edges()
        formula = PathFormula(Path(self.semantics, edges, condition).steps())
        if self.solver.satisfiable(formula.formulas):
            self._replay_violates(node, number, check, condition, formula)

    def _replay_violates(self, node: Node, number: int, check: Check, condition: Formula, formula: PathFormula) -> bool:
        """Whether concrete replay of a feasible path violates the check."""
        model = self.solver.model(formula.formulas)
        if model is None:
            return False
        run = replay_path(Path(self.semantics, node.edges(), condition), formula, model, number, check, self.goal)
        if run is None:
            return False
        self.found.given_up.pop(check.id, None)
        self.found.violated[check.id] = run
        return True

    def _any_failure(self, path: Path, node: Node, number: int) -> Path:
        """The path to any failure of an access, if it is infeasible, too: one refinement then excludes all of them."""
        command = self.program.graph.edges[number].command
        if not isinstance(command, c.Load | c.Store | c.LoadData | c.StoreData | c.Inspect):
            return path
        failure = self.semantics.broken(node.location, command.base)
        if isinstance(command, c.Inspect):  # null is no failure
            failure = conj((failure, ne(var(command.base), NULL)))
        wider = Path(self.semantics, path.edges, failure)
        feasible = self.solver.satisfiable(constraints(wider, wider.steps(), self.options.paths))
        return path if feasible else wider

    def _print(self, path: Path, check: Check, feasible: bool) -> None:
        """The path formula of a counterexample, as progress notes."""
        satisfiable = "satisfiable" if feasible else "unsatisfiable"
        self._progress.note(f"path formula ({self.options.paths}) of {check.id}, {satisfiable}:")
        for line in as_lines(path, self.options.paths):
            self._progress.note(f"  {line}")

    def _reason(self, feasible: bool, check: Check) -> str:
        if feasible and check.kind is CheckKind.LEAK:
            return "the shape precision is too coarse to exclude a leak"
        if feasible and (self.aliases.coarse or check.kind is CheckKind.SHAPE):
            return "the shape precision is too coarse to exclude it"
        if feasible:
            return "the path formula is satisfiable, but concrete replay of the path failed"
        if self.options.shapes == "always":
            return "the counterexample is spurious, but shapes alone do not exclude it"
        return "the counterexample is spurious, but refinement found no new predicate or shape"

    def _rebuild(self, node: Node, change: Change) -> None:
        path = node.path()
        pivot = path[min(change.first, len(path) - 1)]
        self.remove(pivot)
        if pivot.parent is None:
            self.tree.start()

    def remove(self, node: Node) -> None:
        """Removes the subtrees over the edge to a node; its parent, and the nodes that lose a coverer, wait again."""
        again = list(self.covering.uncover(self.tree.cut(node)))
        while again:
            uncovered = again.pop()
            if uncovered.alive:
                again += self.covering.uncover([uncovered, *self.tree.restart(uncovered)])
