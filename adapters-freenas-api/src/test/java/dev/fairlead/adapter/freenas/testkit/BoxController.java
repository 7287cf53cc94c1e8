package dev.fairlead.adapter.freenas.testkit;

import dev.fairlead.simulator.Simulator;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.SteppingClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.IntSupplier;

/** Opens controllers of one protocol over a box: all use cases of a process, down to the wire. */
public final class BoxController {
    private final Simulator simulator;
    private final Protocol protocol;
    private final IntSupplier port;
    private final SteppingClock ahead = SteppingClock.standing();

    public BoxController(Simulator simulator, Protocol protocol) {
        this(simulator, protocol, simulator::port);
    }

    /** @param port where controllers reach the box: its own port, or that of something in between */
    public BoxController(Simulator simulator, Protocol protocol, IntSupplier port) {
        this.simulator = simulator;
        this.protocol = protocol;
        this.port = port;
    }

    /** Opens a controller whose volumes let nobody in before they are published, as a starting process does. */
    public OneConnectionFixture open() {
        WiredConnection opened = WiredConnection.open(simulator, port.getAsInt(), protocol, clock());
        return OneConnectionFixture.closed(protocol.driverType(), opened.store(), opened.exporter());
    }

    /** Opens so many controllers whose connections are those of one process. */
    public List<OneConnectionFixture> openTogether(int many) {
        return WiredConnection.openMany(many, simulator, port.getAsInt(), protocol, clock()).stream()
                .map(opened -> OneConnectionFixture.closed(protocol.driverType(), opened.store(), opened.exporter()))
                .toList();
    }

    /** The machine's clock, ahead by what was waited for. */
    private InstantSource clock() {
        return () -> Instant.now().plus(Duration.between(SteppingClock.START, ahead.instant()));
    }

    /** Lets so much time go by as a caller waits for whom the box may still be at an earlier call. */
    public void wait(Duration time) {
        ahead.advance(time);
    }
}
