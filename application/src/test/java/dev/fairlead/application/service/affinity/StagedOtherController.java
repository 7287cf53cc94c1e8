package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.OtherController;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Another controller that shows signs of life as a test wants them. */
final class StagedOtherController implements OtherController {
    final List<String> wrote = new ArrayList<>();
    final List<Optional<String>> told = new ArrayList<>();
    Optional<String> sign = Optional.empty();
    boolean unknown;

    @Override
    public Optional<String> alive() {
        if (unknown) {
            throw new StorageException(new Failure.ClusterRefused("reading", "forbidden"));
        }
        return wrote.isEmpty() ? sign : Optional.of(wrote.getFirst());
    }

    @Override
    public Optional<String> shown() {
        return alive();
    }

    @Override
    public void wrote(String what) {
        wrote.add(what);
    }

    @Override
    public void announce(Optional<String> sign) {
        told.add(sign);
    }
}
