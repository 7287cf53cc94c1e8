{{- define "fairlead.account" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "fairlead.labels" .root | nindent 4 }}
  {{- with .annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}

{{- /* What is there while the uninstallation is checked, and no longer. */ -}}
{{- define "fairlead.uninstallHook" -}}
helm.sh/hook: pre-delete
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded,hook-failed
{{- end -}}

{{- /* A ClusterRole and who has it: (dict root name account rules). */ -}}
{{- define "fairlead.clusterRole" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ .name }}
  labels:
    {{- include "fairlead.labels" .root | nindent 4 }}
rules:
  {{- .rules | trim | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ .name }}
  labels:
    {{- include "fairlead.labels" .root | nindent 4 }}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {{ .name }}}
subjects:
  - {kind: ServiceAccount, name: {{ .account }}, namespace: {{ .root.Release.Namespace }}}
{{- end -}}

{{- /* The same within a namespace: (dict root name namespace account rules). */ -}}
{{- define "fairlead.role" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- include "fairlead.labels" .root | nindent 4 }}
rules:
  {{- .rules | trim | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- include "fairlead.labels" .root | nindent 4 }}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ .name }}}
subjects:
  - {kind: ServiceAccount, name: {{ .account }}, namespace: {{ .root.Release.Namespace }}}
{{- end -}}

{{- /* A provisioner on each node asks the driver where it is, and no Node or CSINode object. */ -}}
{{- define "fairlead.provisionerRules" -}}
- apiGroups: [""]
  resources: [persistentvolumes]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [""]
  resources: [persistentvolumeclaims]
  verbs: [get, list, watch, update]
- apiGroups: [storage.k8s.io]
  resources: [storageclasses]
  verbs: [get, list, watch]
- apiGroups: [storage.k8s.io]
  resources: [volumeattributesclasses]
  verbs: [get]
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
{{- if ne .Values.controller.strategy "node" }}
- apiGroups: [storage.k8s.io]
  resources: [csinodes]
  verbs: [get, list, watch]
- apiGroups: [""]
  resources: [nodes]
  verbs: [get, list, watch]
{{- end }}
{{- if include "fairlead.part" (list . "attacher") }}
- apiGroups: [storage.k8s.io]
  resources: [volumeattachments]
  verbs: [get, list, watch]
{{- end }}
{{- if include "fairlead.part" (list . "snapshotter") }}
- apiGroups: [snapshot.storage.k8s.io]
  resources: [volumesnapshots]
  verbs: [get, list, watch, update]
- apiGroups: [snapshot.storage.k8s.io]
  resources: [volumesnapshotcontents]
  verbs: [get, list]
{{- end }}
{{- end -}}

{{- define "fairlead.attacherRules" -}}
- apiGroups: [""]
  resources: [persistentvolumes]
  verbs: [get, list, watch, patch]
- apiGroups: [storage.k8s.io]
  resources: [csinodes]
  verbs: [get, list, watch]
- apiGroups: [storage.k8s.io]
  resources: [volumeattachments]
  verbs: [get, list, watch, patch]
- apiGroups: [storage.k8s.io]
  resources: [volumeattachments/status]
  verbs: [patch]
{{- end -}}

{{- /* It looks at VolumeAttributesClasses by itself, where the cluster has them and the driver can modify volumes. */ -}}
{{- define "fairlead.resizerRules" -}}
- apiGroups: [storage.k8s.io]
  resources: [volumeattributesclasses]
  verbs: [get, list, watch]
- apiGroups: [""]
  resources: [persistentvolumes]
  verbs: [get, list, watch, patch]
- apiGroups: [""]
  resources: [persistentvolumeclaims, pods]
  verbs: [get, list, watch]
- apiGroups: [""]
  resources: [persistentvolumeclaims/status]
  verbs: [patch]
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
{{- end -}}

{{- /* It takes group snapshots by itself, where the cluster has their kinds and the driver can take them. */ -}}
{{- define "fairlead.snapshotterRules" -}}
- apiGroups: [groupsnapshot.storage.k8s.io]
  resources: [volumegroupsnapshotclasses]
  verbs: [get, list, watch]
- apiGroups: [groupsnapshot.storage.k8s.io]
  resources: [volumegroupsnapshotcontents]
  verbs: [get, list, watch, update, patch]
- apiGroups: [groupsnapshot.storage.k8s.io]
  resources: [volumegroupsnapshotcontents/status]
  verbs: [update, patch]
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
- apiGroups: [snapshot.storage.k8s.io]
  resources: [volumesnapshotclasses]
  verbs: [get, list, watch]
- apiGroups: [snapshot.storage.k8s.io]
  resources: [volumesnapshotcontents]
  verbs: [get, list, watch, update, patch]
- apiGroups: [snapshot.storage.k8s.io]
  resources: [volumesnapshotcontents/status]
  verbs: [update, patch]
{{- end -}}

{{- /* The owner of capacity objects is found from the pod upwards. */ -}}
{{- define "fairlead.capacityRules" -}}
- apiGroups: [storage.k8s.io]
  resources: [csistoragecapacities]
  verbs: [get, list, watch, create, update, patch, delete]
- apiGroups: [""]
  resources: [pods]
  verbs: [get]
{{- if ne .Values.controller.strategy "node" }}
- apiGroups: [apps]
  resources: [replicasets]
  verbs: [get]
{{- end }}
{{- end -}}

{{- /* The Secrets of classes that the sidecars hand to the driver; those of stage and publish are kubelet's to read. */ -}}
{{- define "fairlead.readSecrets" -}}
{{- $root := . -}}
{{- $out := list -}}
{{- range $class := concat .Values.storageClasses .Values.volumeSnapshotClasses -}}
  {{- range $key, $_ := $class.secrets -}}
    {{- if not (hasPrefix "node-" $key) -}}
      {{- $out = append $out (include "fairlead.classSecretName" (list $root $class $key)) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- toJson ($out | uniq | sortAlpha) -}}
{{- end -}}

{{- define "fairlead.secretRules" -}}
- apiGroups: [""]
  resources: [secrets]
  {{- with . }}
  resourceNames:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  verbs: [get]
{{- end -}}

{{- /* What the driver itself asks. A name that is not there yet cannot be allowed by name. */ -}}
{{- define "fairlead.ownRules" -}}
{{- $v := .Values -}}
{{- if and $v.controller.leaderElection.enabled (ne $v.controller.strategy "node") }}
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [create]
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  resourceNames: [{{ include "fairlead.leaseName" . }}]
  verbs: [get, update]
{{- end }}
{{- if $v.controller.events }}
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
{{- end }}
{{- end -}}

{{- /* The claim of a volume is named by its PersistentVolume, and may be in any namespace. */ -}}
{{- define "fairlead.claimEventRules" -}}
- apiGroups: [""]
  resources: [persistentvolumes]
  verbs: [get, list]
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
{{- end -}}

{{- /*
Where a source is that is not on the node, by the objects that say so; and the claim, which goes there, and may name its node. The label of a
snapshot's content is the only thing that is read of another driver's, since contents cannot be chosen by their handle.
*/ -}}
{{- define "fairlead.sourceRules" -}}
- apiGroups: [""]
  resources: [persistentvolumes]
  verbs: [get, list]
{{- if include "fairlead.part" (list . "snapshotter") }}
- apiGroups: [snapshot.storage.k8s.io]
  resources: [volumesnapshotcontents]
  verbs: [get, list]
{{- end }}
- apiGroups: [storage.k8s.io]
  resources: [csinodes, storageclasses]
  verbs: [get]
- apiGroups: [""]
  resources: [persistentvolumeclaims]
  verbs: [get, update]
{{- end -}}

{{- define "fairlead.sccRules" -}}
{{ include "fairlead.constraintsRules" "privileged" }}
{{- end -}}

{{- /* The use of SecurityContextConstraints of a name. */ -}}
{{- define "fairlead.constraintsRules" -}}
- apiGroups: [security.openshift.io]
  resources: [securitycontextconstraints]
  resourceNames: [{{ . }}]
  verbs: [use]
{{- end -}}
