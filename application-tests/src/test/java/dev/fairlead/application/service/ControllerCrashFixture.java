package dev.fairlead.application.service;

import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.fake.InMemoryStorage;

/** Two connections, and a controller process that comes and goes. */
final class ControllerCrashFixture implements CrashFixture<ControllerFixture> {
    private InMemoryStorage nas = InMemoryStorage.named("nas");
    private InMemoryStorage san = InMemoryStorage.named("san");

    @Override
    public void reset() {
        nas = InMemoryStorage.named("nas");
        san = InMemoryStorage.named("san");
    }

    @Override
    public ControllerFixture open() {
        return ControllerFixture.proxy().with(nas, san);
    }

    @Override
    public void close(ControllerFixture controller) {
        controller.close();
    }

    @Override
    public String dump() {
        return nas.dump() + san.dump();
    }
}
