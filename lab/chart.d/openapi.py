"""Compares an object with Kubernetes' OpenAPI description: unknown fields, wrong types, missing ones."""

import json

# Objects of other people's APIs: the fields that they have.
OTHERS = {
    ("snapshot.storage.k8s.io/v1", "VolumeSnapshotClass"): {
        "apiVersion", "kind", "metadata", "driver", "deletionPolicy", "parameters"},
    ("security.openshift.io/v1", "SecurityContextConstraints"): {
        "apiVersion", "kind", "metadata", "allowPrivilegedContainer", "allowPrivilegeEscalation", "allowHostDirVolumePlugin",
        "allowHostIPC", "allowHostNetwork", "allowHostPID", "allowHostPorts", "allowedCapabilities", "defaultAddCapabilities",
        "requiredDropCapabilities", "readOnlyRootFilesystem", "runAsUser", "seLinuxContext", "fsGroup", "supplementalGroups",
        "seccompProfiles", "users", "groups", "volumes", "priority", "allowedFlexVolumes", "allowedUnsafeSysctls",
        "forbiddenSysctls", "defaultAllowPrivilegeEscalation"},
    ("monitoring.coreos.com/v1", "ServiceMonitor"): {"apiVersion", "kind", "metadata", "spec"},
}


class OpenApi:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.definitions = json.load(file)["definitions"]
        self.kinds = {}
        for name, definition in self.definitions.items():
            for kind in definition.get("x-kubernetes-group-version-kind", []):
                version = f"{kind['group']}/{kind['version']}" if kind["group"] else kind["version"]
                self.kinds[version, kind["kind"]] = name

    def problems(self, thing):
        kind = thing.get("apiVersion"), thing.get("kind")
        if kind in OTHERS:
            return [f"{key}: unknown" for key in thing if key not in OTHERS[kind]]
        if kind not in self.kinds:
            return [f"{kind[0]} {kind[1]}: no such kind"]
        return list(self._walk(thing, {"$ref": "#/definitions/" + self.kinds[kind]}, ""))

    def _walk(self, value, schema, path):
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if name.endswith(("Quantity", "IntOrString")):
                if not isinstance(value, (str, int)) or isinstance(value, bool):
                    yield f"{path}: {value!r} is no quantity or number"
                return
            schema = self.definitions[name]
        expected = schema.get("type", "object" if "properties" in schema else None)
        python = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict, "number": (int, float)}
        if expected and (not isinstance(value, python[expected]) or (expected == "integer" and isinstance(value, bool))):
            yield f"{path}: {value!r} is no {expected}"
            return
        if isinstance(value, list):
            for i, item in enumerate(value):
                yield from self._walk(item, schema.get("items", {}), f"{path}[{i}]")
        if isinstance(value, dict):
            known = schema.get("properties")
            for key in schema.get("required", []):
                if key not in value:
                    yield f"{path}.{key}: is missing"
            for key, item in value.items():
                if known is not None and key in known:
                    yield from self._walk(item, known[key], f"{path}.{key}")
                elif known is not None:
                    yield f"{path}.{key}: unknown"
                elif "additionalProperties" in schema:
                    yield from self._walk(item, schema["additionalProperties"], f"{path}.{key}")
