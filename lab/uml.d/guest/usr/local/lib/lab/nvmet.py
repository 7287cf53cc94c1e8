#!/usr/bin/env python3
"""Makes the NVMe subsystems that a saved configuration has, as `nvmetcli restore` does, beside what runs: nvmet.py FILE"""
import json
import os
import pathlib
import sys

ROOT = pathlib.Path("/sys/kernel/config/nvmet")


def made(folder):
    folder.mkdir(exist_ok=True)
    return folder


def link(at, to):
    if not at.is_symlink():
        at.symlink_to(to)


def write(folder, group, values):
    for name, value in values.items():
        path = folder / f"{group}_{name}"
        if path.exists() and path.read_text().strip() != str(value):
            path.write_text(str(value))


def subsystem(saved):
    folder = made(ROOT / "subsystems" / saved["nqn"])
    write(folder, "attr", saved.get("attr", {}))
    for entry in saved.get("namespaces", []):
        # What runs is left as it is.
        if (folder / "namespaces" / str(entry["nsid"])).exists():
            continue
        namespace = made(folder / "namespaces" / str(entry["nsid"]))
        write(namespace, "device", entry.get("device", {}))
        (namespace / "enable").write_text(str(entry.get("enable", 1)))
    for host in saved.get("allowed_hosts", []):
        link(folder / "allowed_hosts" / host, made(ROOT / "hosts" / host))


def port(saved):
    folder = ROOT / "ports" / str(saved["portid"])
    if not folder.exists():
        write(made(folder), "addr", saved.get("addr", {}))
    for nqn in saved.get("subsystems", []):
        link(folder / "subsystems" / nqn, ROOT / "subsystems" / nqn)


def main(file):
    if not os.path.exists(file):
        return
    with open(file) as text:
        saved = json.load(text)
    failed = 0
    for each, make in [(s, subsystem) for s in saved.get("subsystems", [])] + [(p, port) for p in saved.get("ports", [])]:
        try:
            make(each)
        except OSError as e:
            failed = 1
            print(f"{each.get('nqn', each.get('portid'))}: {e}", file=sys.stderr)
    sys.exit(failed)


if __name__ == "__main__":
    main(sys.argv[1])
