package dev.fairlead.testkit.crash;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.fake.FaultyStore;
import dev.fairlead.testkit.fake.InMemoryStorage;

/** Calls a timeout a refusal, whatever has been made by then. */
final class FinalStore extends FaultyStore {
    FinalStore(InMemoryStorage storage) {
        super(storage);
    }

    @Override
    public Creation create(Birth birth, Work work) {
        try {
            return super.create(birth, work);
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.TimedOut) {
                throw new StorageException(new Failure.BackendRejected("memory", "it took too long"), e);
            }
            throw e;
        }
    }
}
