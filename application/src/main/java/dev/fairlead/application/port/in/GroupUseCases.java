package dev.fairlead.application.port.in;

/** Holds the use cases of the group controller service. */
public record GroupUseCases(TakeGroup take, DeleteGroup delete, GetGroup get) {}
