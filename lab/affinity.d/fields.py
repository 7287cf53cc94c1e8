#!/usr/bin/env python3
"""Makes PersistentVolumes with every field that the API server's own schema has and that it accepts, and compares what has
become of them. Shares no code with Fairlead.

  fields.py make SERVER CA TOKEN FILE COUNT      makes COUNT volumes and claims, waits until they are bound, keeps them in FILE
  fields.py compare SERVER CA TOKEN FILE ZONE    ends with 1 if anything but what has to differ differs
"""
import copy
import json
import ssl
import sys
import time
import urllib.error
import urllib.request

DRIVER = "org.example.csi"
# What the server or the controllers give, and what is to change.
GIVEN = {"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"}


class Server:
    def __init__(self, url, ca, token):
        self.url = url
        self.token = token
        self.tls = ssl.create_default_context(cafile=ca)

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.url + path, method=method)
        request.add_header("Authorization", "Bearer " + self.token)
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, data, context=self.tls, timeout=30) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            text = error.read()
            try:
                return error.code, json.loads(text)
            except ValueError:
                return error.code, {"message": text.decode(errors="replace")}


def resolved(schema, all_schemas):
    while True:
        if "$ref" in schema:
            schema = all_schemas[schema["$ref"].rsplit("/", 1)[1]]
        elif "allOf" in schema:
            schema = {**{k: v for k, v in schema.items() if k != "allOf"}, **resolved(schema["allOf"][0], all_schemas)}
        else:
            return schema


# Values for fields that take no other: by the end of the field's path.
KNOWN = {
    "spec.accessModes": ["ReadWriteOnce", "ReadOnlyMany"],
    "spec.capacity": {"storage": "1Gi"},
    "spec.persistentVolumeReclaimPolicy": "Delete",
    "spec.volumeMode": "Filesystem",
    "spec.storageClassName": "fast",
    "spec.mountOptions": ["noatime", "discard", "nodiratime"],
    "spec.volumeAttributesClassName": "gold",
    "spec.csi.driver": DRIVER,
    "spec.csi.fsType": "xfs",
    "spec.csi.readOnly": True,
    "spec.csi.volumeAttributes": {"k": "v", "storage.kubernetes.io/csiProvisionerIdentity": "1-2-x", "empty": ""},
    "metadata.labels": {"a": "b", "example.com/unknown": "yes", "empty": ""},
    "metadata.annotations": {
        "pv.kubernetes.io/provisioned-by": DRIVER,
        "example.com/unknown": "{\"json\": [1, \"ü\\\"\\\\/\\n\"]}",
        "volume.kubernetes.io/provisioner-deletion-secret-name": "s",
        "volume.kubernetes.io/provisioner-deletion-secret-namespace": "n",
        "long": "x" * 20000,
        "empty": "",
    },
    "metadata.finalizers": [
        "kubernetes.io/pv-protection",
        "external-attacher/org-example-csi",
        "external-provisioner.volume.kubernetes.io/finalizer",
        "example.com/unknown",
    ],
    "metadata.ownerReferences": [
        {"apiVersion": "example.com/v1", "kind": "Pool", "name": "p", "uid": "00000000-0000-0000-0000-000000000001"},
        {"apiVersion": "example.com/v1", "kind": "Pool", "name": "q", "uid": "00000000-0000-0000-0000-000000000002",
         "controller": True, "blockOwnerDeletion": False},
    ],
    "metadata.selfLink": None,
    "metadata.generateName": None,
    "metadata.namespace": None,
    "metadata.deletionTimestamp": None,
    "metadata.deletionGracePeriodSeconds": None,
}
OWN = {"metadata.name", "spec.csi.volumeHandle", "spec.claimRef", "spec.nodeAffinity", "status", "apiVersion", "kind"}


def value(path, schema, all_schemas, depth=0):
    """Returns a value by the schema alone."""
    if path in KNOWN:
        return KNOWN[path]
    schema = resolved(schema, all_schemas)
    kind = schema.get("type")
    if kind == "object" and schema.get("properties") and depth < 6:
        made = {}
        for name, part in sorted(schema["properties"].items()):
            one = value(path + "." + name, part, all_schemas, depth + 1)
            if one is not None:
                made[name] = one
        return made
    if kind == "object":
        return {"key-1": "value-1", "key-2": "value-2"}
    if kind == "array":
        return [value(path + "[]", schema["items"], all_schemas, depth + 1)]
    if kind == "integer":
        return 7
    if kind == "boolean":
        return True
    if kind == "string" and schema.get("format") == "date-time":
        return None
    return "x-" + path.rsplit(".", 1)[-1].lower()


def paths(prefix, item):
    if isinstance(item, dict):
        for name, part in item.items():
            yield from paths(prefix + "." + name if prefix else name, part)
    elif isinstance(item, list):
        for part in item:
            yield from paths(prefix + "[]", part)
    else:
        yield prefix


def schema_of(server):
    status, document = server.ask("GET", "/openapi/v3/api/v1")
    if status != 200:
        raise SystemExit("no schema: %s %s" % (status, document))
    schemas = document["components"]["schemas"]
    return schemas["io.k8s.api.core.v1.PersistentVolume"], schemas


def base(index, claim):
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "field-%02d" % index},
        "spec": {
            "capacity": {"storage": "1Gi"},
            "accessModes": ["ReadWriteOnce", "ReadOnlyMany"],
            "csi": {"driver": DRIVER, "volumeHandle": "v:nas/field-%d" % index},
            "claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": "default", "name": claim},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": DRIVER + "/zone", "operator": "In", "values": ["z0"]}]}]}},
        },
    }


def put(target, path, item):
    parts = path.split(".")
    for part in parts[:-1]:
        target = target.setdefault(part, {})
    target[parts[-1]] = item


def candidates(volume_schema, schemas):
    """Yields each field that may be set by itself: those of metadata, of spec, and of spec.csi."""
    top = resolved(volume_schema, schemas)["properties"]
    for where in ("metadata", "spec"):
        for name, part in sorted(resolved(top[where], schemas)["properties"].items()):
            path = where + "." + name
            if path in OWN:
                continue
            if path == "spec.csi":
                for inner, more in sorted(resolved(part, schemas)["properties"].items()):
                    if path + "." + inner not in OWN:
                        yield path + "." + inner, value(path + "." + inner, more, schemas)
            else:
                yield path, value(path, part, schemas)


def make(server, file, count):
    volume_schema, schemas = schema_of(server)
    accepted, refused = {}, {}
    for path, item in candidates(volume_schema, schemas):
        if item is None:
            refused[path] = "given by the server"
            continue
        trial = base(0, "claim")
        put(trial, path, item)
        status, answer = server.ask("POST", "/api/v1/persistentvolumes?dryRun=All", trial)
        kept = answer
        for part in path.split("."):
            kept = kept.get(part, {}) if isinstance(kept, dict) else {}
        if path.split(".")[1] in GIVEN:
            refused[path] = "given by the server"
        elif status >= 300:
            refused[path] = answer.get("message", "")[:90]
        elif not kept:
            refused[path] = "dropped by the server"
        else:
            accepted[path] = item
    made = []
    for index in range(count):
        name = "field-claim-%02d" % index
        volume = base(index, name)
        chosen = dict(accepted)
        if index % 3 == 1:
            chosen["spec.persistentVolumeReclaimPolicy"] = "Retain"
            chosen["spec.volumeMode"] = "Block"
            chosen.pop("spec.csi.fsType", None)
            chosen.pop("spec.mountOptions", None)
        if index % 3 == 2:
            # One field each is left out, by turns.
            chosen.pop(sorted(chosen)[index % len(chosen)], None)
        for path, item in chosen.items():
            put(volume, path, copy.deepcopy(item))
        status, answer = server.ask("POST", "/api/v1/persistentvolumes", volume)
        if status >= 300:
            raise SystemExit("volume %d: %s" % (index, answer.get("message")))
        spec = {"accessModes": ["ReadWriteOnce"], "volumeName": volume["metadata"]["name"],
                "resources": {"requests": {"storage": "1Gi"}},
                "storageClassName": volume["spec"].get("storageClassName", "")}
        for key in ("volumeMode", "volumeAttributesClassName"):
            if key in volume["spec"]:
                spec[key] = volume["spec"][key]
        status, answer = server.ask("POST", "/api/v1/namespaces/default/persistentvolumeclaims", {
            "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": spec})
        if status >= 300:
            raise SystemExit("claim %d: %s" % (index, answer.get("message")))
        made.append(volume["metadata"]["name"])
    volumes = bound(server, made)
    with open(file, "w") as out:
        json.dump(volumes, out)
    leaves = sorted({path for volume in volumes.values() for path in paths("", volume)})
    print("%d volumes; %d fields set, each leaf one: %d" % (count, len(accepted), len(leaves)))
    print("set: " + ", ".join(sorted(accepted)))
    for path, why in sorted(refused.items()):
        print("not set: %s: %s" % (path, why))


def bound(server, names):
    end = time.monotonic() + 60
    while True:
        found = {}
        for name in names:
            status, volume = server.ask("GET", "/api/v1/persistentvolumes/" + name)
            if status == 200 and volume.get("status", {}).get("phase") == "Bound":
                found[name] = volume
        if len(found) == len(names):
            return found
        if time.monotonic() > end:
            raise SystemExit("not bound: %s" % sorted(set(names) - set(found)))
        time.sleep(0.2)


def essence(volume):
    kept = copy.deepcopy(volume)
    kept.pop("status", None)
    for name in GIVEN:
        kept["metadata"].pop(name, None)
    kept["spec"].pop("nodeAffinity", None)
    kept["metadata"].get("finalizers", []).sort()
    return kept


def differences(path, one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(set(one) | set(other)):
            yield from differences(path + "." + name, one.get(name, "(none)"), other.get(name, "(none)"))
    elif one != other:
        yield "%s: %.200s -> %.200s" % (path, json.dumps(one), json.dumps(other))


def compare(server, file, zone):
    with open(file) as text:
        before = json.load(text)
    after = bound(server, sorted(before))
    wrong, replaced, compared = [], 0, 0
    for name, volume in sorted(before.items()):
        now = after[name]
        compared += sum(1 for _ in paths("", essence(volume)))
        wrong += ["%s%s" % (name, text) for text in differences("", essence(volume), essence(now))]
        if zone not in json.dumps(now["spec"]["nodeAffinity"]):
            wrong.append(name + ": its affinity is not the new one")
        replaced += volume["metadata"]["uid"] != now["metadata"]["uid"]
    print("%d volumes, %d of them replaced, %d values compared, %d differ" % (len(before), replaced, compared, len(wrong)))
    for text in wrong:
        print(text)
    return 1 if wrong else 0


def main(words):
    command, url, ca, token, file, last = words
    server = Server(url, ca, token)
    if command == "make":
        make(server, file, int(last))
        return 0
    return compare(server, file, last)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
