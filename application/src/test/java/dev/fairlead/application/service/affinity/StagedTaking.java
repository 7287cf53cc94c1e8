package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.SavedVolume;
import dev.fairlead.application.port.out.placement.SavedVolumeTaking;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Takes over whatever it is given, and notes of which resource it was. */
record StagedTaking(KeptInMemory kept, List<String> taken) implements SavedVolumeTaking {
    @Override
    public Taken take(SavedVolume saved, List<KnownVolume> all, BooleanSupplier mayWrite) {
        assertThat(kept.all).containsKey(saved.resource());
        taken.add(saved.resource());
        return new Taken.Done(new ChangeOutcome(saved.resource().replace("vol", "pvc"), Result.IN_PLACE, ""));
    }

    @Override
    public String plan(SavedVolume saved, List<KnownVolume> all) {
        return saved.place();
    }
}
