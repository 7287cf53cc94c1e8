package dev.fairlead.testkit.crash;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.testkit.fake.FaultyStore;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;

/** Makes a temporary volume under a new name at each call, and removes it only where the call gets to its end. */
final class UntidyStore extends FaultyStore {
    UntidyStore(InMemoryStorage storage) {
        super(storage);
    }

    @Override
    public Creation create(Birth birth, Work work) {
        String temporary = "untidy-" + storage.volumes().size();
        Birth draft = sound.plan(TestVolumes.empty(temporary), TestVolumes.id(temporary));
        work.effect(new Effect("draft", temporary), () -> sound.create(draft, TestWork.patient()));
        Creation made = sound.create(birth, work);
        work.effect(
                new Effect("remove", temporary),
                () -> sound.delete(draft.id(), OnDependents.REFUSE, TestWork.patient()));
        return made;
    }
}
