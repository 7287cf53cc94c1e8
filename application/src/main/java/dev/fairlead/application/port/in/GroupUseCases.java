package dev.fairlead.application.port.in;

import dev.fairlead.application.port.in.snapshot.DeleteGroup;
import dev.fairlead.application.port.in.snapshot.GetGroup;
import dev.fairlead.application.port.in.snapshot.TakeGroup;

/** Holds the use cases of the group controller service. */
public record GroupUseCases(TakeGroup take, DeleteGroup delete, GetGroup get) {}
