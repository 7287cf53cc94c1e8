package dev.fairlead.application.port.in;

/** The use cases of groups of snapshots, together. */
public record GroupUseCases(TakeGroup take, DeleteGroup delete, GetGroup get) {}
