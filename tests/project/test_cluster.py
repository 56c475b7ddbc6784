"""A cluster of Dask: the same answers, also when a worker is killed and a unit is poisonous; and no silent trust."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from project.poison import PoisonTask
from project.trees import EXPLORE, LEAKS, LIST, SAFE, fresh, run_tree, verdicts, write_tree

from heapwright.analysis.pipeline import Input
from heapwright.analysis.supervisor import Job
from heapwright.base.errors import InputError, LimitReached, UsageError
from heapwright.c.options import ParseOptions
from heapwright.project import session
from heapwright.project.findings.record import canonical
from heapwright.project.running import cluster
from heapwright.project.running.cluster_worker import run_unit
from heapwright.project.running.work import UnitTask
from heapwright.project.store.database import Store, open_store
from heapwright.project.units.compilations import find_compilations

TESTS = str(Path(__file__).parent.parent)


def announced(place: Path) -> bool:
    """Whether the scheduler has written its whole file."""
    try:
        return "address" in json.loads(place.read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return False


@contextmanager
def dask_processes(folder: Path, *security: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """A scheduler and two workers, each in a clean directory. Workers end before the scheduler. `security`: options of
    all three."""
    place = folder / "scheduler.json"
    command = [sys.executable, "-m", "dask"]
    folders = [TESTS, os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, folders))}
    started = []

    def start(name: str, *words: str) -> None:
        (folder / name).mkdir()
        log = (folder / f"{name}.log").open("wb")
        started.append(
            subprocess.Popen(
                [*command, *words], cwd=folder / name, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        )

    try:
        start(
            "scheduler",
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(place),
            *security,
        )
        while not announced(place):
            assert started[0].poll() is None
            time.sleep(0.05)
        for name in ("one", "two"):
            words = ("--nthreads", "1", "--memory-limit", "0", "--no-dashboard", "--no-nanny")
            start(name, "worker", "--scheduler-file", str(place), *words, *security)
        yield started
    finally:
        for one in reversed(started):
            if one.poll() is None:
                os.killpg(one.pid, signal.SIGKILL)
            one.wait()


class KillOne(session.Watcher):
    """Kills processes after the first fresh answer."""

    def __init__(self, *processes: subprocess.Popen[bytes]) -> None:
        self.processes = processes

    def answered(self, row: session.Row) -> None:
        for process in self.processes:
            if row.fresh and process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@pytest.mark.slow
def test_equal_answers_with_a_killed_worker_and_a_poisonous_unit(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    many = {f"s{number}.c": SAFE + f"int g{number};\n" for number in range(6)}
    root = write_tree(tmp_path / "p", {**LIST, "bad.c": LEAKS, "poison.c": SAFE, **many})
    monkeypatch.setattr(session, "UnitTask", PoisonTask)
    tree = find_compilations(str(root), ParseOptions())
    with dask_processes(tmp_path) as processes:
        executor = cluster.ClusterExecutor(address_of(tmp_path), insecure=True)
        try:
            done = session.run_project(tree, store, EXPLORE, executor, KillOne(processes[1]))
            assert verdicts(done)["poison.c"] == "failed"
            local = open_store(str(root), str(tmp_path / "local.sqlite"))
            run_tree(root, local)
            for row in done.rows:
                ours, theirs = local.answer(row.key), store.answer(row.key)
                assert ours is not None
                assert theirs is not None
                if row.unit.name != "poison.c":
                    assert canonical(ours) == canonical(theirs)
            local.close()
            assert store.statistics()["rows"]["result"] == len(done.rows)
            write_tree(root, {name: text + "int other;\n" for name, text in many.items()})
            changed = find_compilations(str(root), ParseOptions())
            with pytest.raises(LimitReached, match="scheduler of the cluster is gone"):
                session.run_project(changed, store, EXPLORE, executor, KillOne(processes[0]))
        finally:
            executor.close()
    assert not [row.unit.name for row in run_tree(root, store).rows if row.verdict == "unknown"]


def address_of(folder: Path) -> str:
    return str(json.loads((folder / "scheduler.json").read_text())["address"])


@pytest.mark.slow
def test_a_cluster_without_workers_ends_the_run_and_the_next_one_goes_on(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "ALONE", 1.0)
    root = write_tree(tmp_path / "p", {f"s{number}.c": SAFE for number in range(12)})
    tree = find_compilations(str(root), ParseOptions())
    with dask_processes(tmp_path) as processes:
        executor = cluster.ClusterExecutor(address_of(tmp_path), insecure=True)
        try:
            with pytest.raises(LimitReached, match=r"no worker for 1 s; run the same command again"):
                session.run_project(tree, store, EXPLORE, executor, KillOne(*processes[1:]))
            assert processes[0].poll() is None  # the scheduler lives
        finally:
            executor.close()
    known = store.statistics()["rows"]["result"]
    assert known >= 1
    done = run_tree(root, store)
    assert len(fresh(done)) == 12 - known
    assert set(verdicts(done).values()) == {"safe"}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_a_cluster_behind_tls(tmp_path: Path, store: Store) -> None:
    dask = pytest.importorskip("dask")
    pytest.importorskip("distributed")

    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout {key} -out {certificate}"
    subprocess.run(["openssl", *words.split()], check=True, capture_output=True)
    options = [f"--tls-ca-file={certificate}", f"--tls-cert={certificate}", f"--tls-key={key}"]
    root = write_tree(tmp_path / "p", {**LIST, "bad.c": LEAKS})
    tree = find_compilations(str(root), ParseOptions())
    names = {"ca-file": certificate, "client.cert": certificate, "client.key": key}
    known = {f"distributed.comm.tls.{name}": str(path) for name, path in names.items()}
    with dask_processes(tmp_path, *options, "--protocol", "tls"):
        address = address_of(tmp_path)
        assert address.startswith("tls://")
        with pytest.raises(UsageError, match="no certificates"):
            cluster.ClusterExecutor(address, insecure=False)
        with dask.config.set({**known, "distributed.comm.require-encryption": True}):
            executor = cluster.ClusterExecutor(address, insecure=False)
            try:
                done = session.run_project(tree, store, EXPLORE, executor)
            finally:
                executor.close()
    assert verdicts(done) == {"main.c": "safe", "bad.c": "unsafe"}


def test_addresses_that_are_not_used() -> None:
    for address, text in (
        ("head:8786", "not the address"),
        ("tcp://head:8786", "without TLS"),
        ("local:0", "not the address"),
    ):
        with pytest.raises(UsageError, match=text):
            cluster.ClusterExecutor(address, insecure=False)


def test_a_worker_refuses_another_package() -> None:
    with pytest.raises(InputError, match="another version"):
        run_unit("another", UnitTask(Job(Input(("a.c",))), "/"))
