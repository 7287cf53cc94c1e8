package dev.fairlead.testkit.application;

import dev.fairlead.testkit.crash.World;
import dev.fairlead.testkit.fake.InMemoryStorage;

/** Two connections, and a controller process that comes and goes. */
final class ControllerWorld implements World<Controller> {
    private InMemoryStorage nas = InMemoryStorage.named("nas");
    private InMemoryStorage san = InMemoryStorage.named("san");

    @Override
    public void reset() {
        nas = InMemoryStorage.named("nas");
        san = InMemoryStorage.named("san");
    }

    @Override
    public Controller open() {
        return Controller.proxy().with(nas, san);
    }

    @Override
    public void close(Controller controller) {
        controller.close();
    }

    @Override
    public String dump() {
        return nas.dump() + san.dump();
    }
}
