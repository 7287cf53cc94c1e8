{{- /* Whether volumes are born closed to all but the nodes that they are published to. */ -}}
{{- define "fairlead.publishes" -}}
{{- if eq (toString (dig "fairlead" "publish" "open" (.Values.driver.config | default dict))) "nodes" }}true{{ end -}}
{{- end -}}

{{- /*
Each CSI name with what was decided of it, as JSON. attachRequired and volumeLifecycleModes cannot change in an object that
is there, so where nothing is said of the first, the object decides.
*/ -}}
{{- define "fairlead.drivers" -}}
{{- $root := . -}}
{{- $out := list -}}
{{- range $i, $d := prepend .Values.csiDrivers .Values.csiDriver -}}
  {{- $found := lookup "storage.k8s.io/v1" "CSIDriver" "" $d.name | default dict -}}
  {{- $attach := $d.attachRequired -}}
  {{- if kindIs "invalid" $attach -}}
    {{- $attach = dig "spec" "attachRequired" (or (eq (toString $root.Values.controller.externalAttacher.enabled) "true") (ne (include "fairlead.publishes" $root) "")) $found -}}
  {{- end -}}
  {{- $policy := $d.fsGroupPolicy -}}
  {{- if and (kindIs "invalid" $policy) (eq $root.Values.controller.strategy "node") -}}
    {{- $policy = "File" -}}
  {{- end -}}
  {{- $capacity := $d.storageCapacity -}}
  {{- if kindIs "invalid" $capacity -}}
    {{- $capacity = eq $root.Values.controller.strategy "node" -}}
  {{- end -}}
  {{- $n := add1 $i | int -}}
  {{- $suffix := ternary "" (printf "-%d" $n) (eq $n 1) -}}
  {{- $out = append $out (merge (dict "attachRequired" $attach "fsGroupPolicy" $policy "storageCapacity" $capacity "n" $n "suffix" $suffix "folder" (printf "/csi%s" $suffix) "found" $found) (omit $d "attachRequired" "fsGroupPolicy" "storageCapacity")) -}}
{{- end -}}
{{- toJson $out -}}
{{- end -}}

{{- /* The main file as a mapping, as JSON. */ -}}
{{- define "fairlead.config" -}}
{{- $config := deepCopy (.Values.driver.config | default dict) -}}
{{- if eq (get $config "driver" | default "proxy") "proxy" -}}
  {{- $proxy := get $config "proxy" | default dict -}}
  {{- if not (get $proxy "configFolder") -}}
    {{- $_ := set $proxy "configFolder" (include "fairlead.connectionsPath" .) -}}
  {{- end -}}
  {{- if and (eq .Values.controller.strategy "node") (not (get $proxy "nodeTopology")) -}}
    {{- $_ := set $proxy "nodeTopology" (dict "type" "node") -}}
  {{- end -}}
  {{- $_ := set $config "driver" "proxy" -}}
  {{- $_ := set $config "proxy" $proxy -}}
{{- end -}}
{{- toJson $config -}}
{{- end -}}

{{- /*
What a node has of the main file: what its half reads, and never a block with credentials; or all of it with the
controller on the node, where credentials are refused. The folders that were mounted for it are those in which it may look
for volumes.
*/ -}}
{{- define "fairlead.nodeConfig" -}}
{{- $config := include "fairlead.config" . | fromJson -}}
{{- if ne .Values.controller.strategy "node" -}}
  {{- $config = pick $config "driver" "proxy" "node" "service" "csi" "fairlead" "local-hostpath" -}}
{{- end -}}
{{- $roots := list -}}
{{- range concat .Values.node.hostPaths (include "fairlead.groupHostPaths" . | fromJsonArray) -}}
  {{- if and (not .readOnly) (has (.type | default "Directory") (list "Directory" "DirectoryOrCreate")) -}}{{- $roots = append $roots .path -}}{{- end -}}
{{- end -}}
{{- if or $roots .Values.node.tools -}}
  {{- $fairlead := get $config "fairlead" | default dict -}}
  {{- $node := get $fairlead "node" | default dict -}}
  {{- if $roots -}}
    {{- $_ := set $node "hostPathRoots" (concat (get $node "hostPathRoots" | default list) $roots | uniq | sortAlpha) -}}
  {{- end -}}
  {{- if .Values.node.tools -}}
    {{- $_ := set $node "tools" (merge (deepCopy .Values.node.tools) (get $node "tools" | default dict)) -}}
  {{- end -}}
  {{- $_ := set $fairlead "node" $node -}}
  {{- $_ := set $config "fairlead" $fairlead -}}
{{- end -}}
{{- toJson $config -}}
{{- end -}}

{{- /*
Whether nodes are told to NVMe targets by the host's name, /etc/nvme: (list root values). Of an existing Secret nothing is
known. What the values mount there themselves is left to them.
*/ -}}
{{- define "fairlead.mountsNvme" -}}
{{- $root := index . 0 -}}
{{- $n := index . 1 -}}
{{- if kindIs "bool" $n.driver.nvmeDirMountEnabled -}}
  {{- if $n.driver.nvmeDirMountEnabled }}true{{ end -}}
{{- else -}}
  {{- $config := $root.Values.driver.config | default dict -}}
  {{- $used := contains "nvmeof" (toString (get $config "driver")) -}}
  {{- range $block := list "proxy" "fairlead" -}}
    {{- if eq (toString (dig $block "nodeId" "parts" "nqn" false $config)) "true" -}}{{- $used = true -}}{{- end -}}
  {{- end -}}
  {{- range $file := $root.Values.connections.files -}}
    {{- if kindIs "map" $file -}}
      {{- if contains "nvmeof" (toString (get $file "driver")) -}}{{- $used = true -}}{{- end -}}
    {{- else if regexMatch "(?m)^driver:.*nvmeof" (toString $file) -}}{{- $used = true -}}
    {{- end -}}
  {{- end -}}
  {{- range $n.hostPaths -}}{{- if eq (trimSuffix "/" .path) "/etc/nvme" -}}{{- $used = false -}}{{- end -}}{{- end -}}
  {{- range $n.driver.extraVolumeMounts -}}{{- if eq (trimSuffix "/" .mountPath) "/etc/nvme" -}}{{- $used = false -}}{{- end -}}{{- end -}}
  {{- if $used }}true{{ end -}}
{{- end -}}
{{- end -}}

{{- define "fairlead.groupHostPaths" -}}
{{- $out := list -}}
{{- range .Values.nodeGroups -}}{{- $out = concat $out (.hostPaths | default list) -}}{{- end -}}
{{- toJson $out -}}
{{- end -}}

{{- /* Whether the main file is that of a proxy; of an existing Secret only driver.config.driver can be known. */ -}}
{{- define "fairlead.isProxy" -}}
{{- if eq (get (.Values.driver.config | default dict) "driver" | default "proxy") "proxy" }}true{{ end -}}
{{- end -}}

{{- define "fairlead.connectionsPath" -}}
{{- $proxy := get (.Values.driver.config | default dict) "proxy" | default dict -}}
{{- .Values.connections.mountPath | default (get $proxy "configFolder") | default "/etc/fairlead/connections" -}}
{{- end -}}

{{- /* The Secret of connections that the chart mounts; empty where the values mount a folder there themselves. */ -}}
{{- define "fairlead.connectionsSecret" -}}
{{- if include "fairlead.isProxy" . -}}
  {{- $path := include "fairlead.connectionsPath" . | trimSuffix "/" -}}
  {{- $theirs := false -}}
  {{- $mounts := .Values.controller.driver.extraVolumeMounts -}}
  {{- if eq .Values.controller.strategy "node" -}}{{- $mounts = concat $mounts .Values.node.driver.extraVolumeMounts -}}{{- end -}}
  {{- range $mounts -}}
    {{- if eq (trimSuffix "/" .mountPath) $path -}}{{- $theirs = true -}}{{- end -}}
  {{- end -}}
  {{- if .Values.connections.existingSecret -}}
    {{- .Values.connections.existingSecret -}}
  {{- else if not $theirs -}}
    {{- printf "%s-connections" (include "fairlead.fullname" .) -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- /* Whether the release has a driver at all. */ -}}
{{- define "fairlead.serves" -}}
{{- if or .Values.controller.enabled .Values.node.enabled .Values.nodeGroups }}true{{ end -}}
{{- end -}}

{{- /* Whether a part is on: (list root "provisioner"). */ -}}
{{- define "fairlead.part" -}}
{{- $root := index . 0 -}}
{{- $part := index . 1 -}}
{{- $v := $root.Values -}}
{{- if and $v.controller.enabled (or (eq $v.controller.strategy "deployment") $v.node.enabled) -}}
  {{- if eq $part "attacher" -}}
    {{- range include "fairlead.drivers" $root | fromJsonArray -}}{{- if .attachRequired }}true{{ end -}}{{- end -}}
  {{- else if eq $part "snapshotter" -}}
    {{- if kindIs "invalid" $v.controller.externalSnapshotter.enabled -}}
      {{- if $root.Capabilities.APIVersions.Has "snapshot.storage.k8s.io/v1" }}true{{ end -}}
    {{- else if $v.controller.externalSnapshotter.enabled }}true{{ end -}}
  {{- else if eq $part "provisioner" -}}
    {{- if $v.controller.externalProvisioner.enabled }}true{{ end -}}
  {{- else if eq $part "resizer" -}}
    {{- if $v.controller.externalResizer.enabled }}true{{ end -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- /* Whether the driver on the nodes reads its Node object. */ -}}
{{- define "fairlead.readsLabels" -}}
{{- if kindIs "bool" .Values.node.readLabels -}}
  {{- if .Values.node.readLabels }}true{{ end -}}
{{- else -}}
  {{- $topology := dig "proxy" "nodeTopology" dict (.Values.driver.config | default dict) -}}
  {{- $found := "" -}}
  {{- range concat (get $topology "fromRegexp" | default list) (get $topology "customRules" | default list) -}}
    {{- if eq (.source | default "") "nodeLabels" -}}{{- $found = "true" -}}{{- end -}}
  {{- end -}}
  {{- $pools := dig "local-pool" dict (.Values.driver.config | default dict) -}}
  {{- range concat (get $pools "pools" | default list) (get $pools "datadir" | default list) -}}
    {{- if eq (.topology | default "") "disk" -}}{{- $found = "true" -}}{{- end -}}
  {{- end -}}
  {{- $found -}}
{{- end -}}
{{- end -}}
