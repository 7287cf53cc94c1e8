"""lab/faults: kills what can be killed while pods come and go, then compares all there is until it is at rest."""
import argparse
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from audit import audit  # noqa: E402
from cluster import Cluster, state_folder  # noqa: E402
from kills import CONTROLLER, Kills  # noqa: E402
from planted import missed  # noqa: E402
from workload import Workload, claim  # noqa: E402

BEGAN = time.monotonic()


def say(text):
    print(f"{time.monotonic() - BEGAN:7.1f} s  {text}", flush=True)


def settled(cluster, patience):
    """Audits until there is no difference; the differences that stay are the findings."""
    end = time.monotonic() + patience
    while True:
        try:
            counts, wrong = audit(cluster)
        except Exception as e:  # noqa: BLE001  the API server may be on its way back
            counts, wrong = None, [f"the audit could not be made: {e}"]
        if not wrong or time.monotonic() > end:
            return counts, wrong
        time.sleep(3)


def report(what, cluster, patience):
    counts, wrong = settled(cluster, patience)
    say(f"{what}: " + (", ".join(f"{n} {k}" for k, n in counts._asdict().items()) if counts else "no counts")
        + f"; {len(wrong)} differences")
    for line in wrong:
        say("  " + line)
    return len(wrong)


def claims_under_kills(cluster, options):
    """The controller is killed again and again while claims are made; each ends as one volume."""
    cluster.apply(*[claim(f"burst-{i}", options.immediate_class) for i in range(options.claims)])
    kills = 0
    end = time.monotonic() + 600
    while time.monotonic() < end:
        pending = [c for c in cluster.items("pvc") if c["status"].get("phase") != "Bound"]
        if not pending:
            break
        if kills < 5:
            kills += any([cluster.enter(node, "pkill", "-KILL", "-f", CONTROLLER).returncode == 0 for node in cluster.nodes()])
        time.sleep(2)
    say(f"{options.claims} claims while the controller was killed {kills} times")
    return kills


def clear(cluster):
    cluster.kubectl("delete", "pods", "-l", "fairlead-faults=pod", "--grace-period=0", "--timeout=300s", patience=330)
    cluster.kubectl("delete", "pvc", "--all", "--timeout=300s", patience=330)


def rounds(cluster, options, seed, folders):
    """One round of everything for one seed; returns its line of counts and the number of differences."""
    wrong = report("before", cluster, options.patience)
    if claims_under_kills(cluster, options) == 0:
        say("the controller was never there to be killed")
        wrong += 1
    wrong += report("after the claims", cluster, options.patience)
    clear(cluster)

    workload = Workload(cluster, options.storage_class, options.pods, options.at_once, seed)
    kills = Kills(cluster, seed, (2, 8), options.outage, say)
    killing = threading.Thread(target=kills.run, args=(options.kills,), daemon=True)
    killing.start()
    workload.run()
    kills.ended.set()
    killing.join()
    counts = (f"seed {seed}: {workload.ran} pods on {workload.claims} claims, {kills.total} kills: "
              + ", ".join(f"{n} {kind}" for kind, n in kills.done.items()))
    say(counts)
    if options.plant_orphan:
        (next(iter(folders.values())) / "v" / "planted-orphan").mkdir()
    wrong += report("at rest", cluster, options.patience)
    wrong += missed(cluster, say)
    clear(cluster)
    wrong += report("emptied", cluster, options.patience)
    if workload.ran < options.pods or kills.total < options.kills:
        say(f"too few: {workload.ran} of {options.pods} pods, {kills.total} of {options.kills} kills")
        wrong += 1
    return counts, wrong


def main():
    parser = argparse.ArgumentParser(prog="lab/faults", description=__doc__)
    parser.add_argument("--seed", default="1", help="what is killed when follows from it; several, as 1,2,3, one after another")
    parser.add_argument("--pods", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=12)
    parser.add_argument("--kills", type=int, default=20, help="at least so many")
    parser.add_argument("--claims", type=int, default=50)
    parser.add_argument("--outage", type=float, default=60, help="seconds that the API server is away")
    parser.add_argument("--patience", type=float, default=300, help="seconds for all to settle")
    parser.add_argument("--driver", default="csi.fairlead.dev")
    parser.add_argument("--namespace", default="faults")
    parser.add_argument("--class", dest="storage_class", default="zones")
    parser.add_argument("--immediate-class", default="zones-immediate")
    parser.add_argument("--plant-orphan", action="store_true", help="puts a folder where no volume is: the audit has to see it")
    options = parser.parse_args()

    zones = state_folder() / "zones"
    folders = {zone.name: zone / "volumes" for zone in sorted(zones.iterdir())}
    cluster = Cluster(options.driver, options.namespace, folders)
    if not cluster.items("namespaces", f"--field-selector=metadata.name={options.namespace}"):
        cluster.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": options.namespace}})
    done = [rounds(cluster, options, seed, folders) for seed in options.seed.split(",")]
    wrong = sum(each for _, each in done)
    for counts, each in done:
        say(f"{counts}; {each} differences")
    say(f"{'PASSED' if wrong == 0 else 'FAILED'}: {wrong} differences")
    return 0 if wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
