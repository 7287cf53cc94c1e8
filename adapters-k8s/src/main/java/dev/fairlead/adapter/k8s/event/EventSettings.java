package dev.fairlead.adapter.k8s.event;

/** Names the pod that events are about: the one in which this process runs. */
public record EventSettings(String namespace, String pod, String uid) {}
