package dev.fairlead.lab.peer;

import csi.v1.CreateVolumeRequest;
import csi.v1.Volume;
import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.DriverProcess;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Runs one of the two drivers: a process that may be killed and started again, and a client of it. */
final class Side implements AutoCloseable {
    static final String PEER = "democratic-csi";

    private static final Map<String, String> ENVIRONMENT = Map.of("CSI_NODE_ID", "side", "NODE_ENV", "production");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final String name;
    private final List<String> command;
    private final Path socket;
    private final Path log;
    private DriverProcess process;
    private CsiClient client;

    Side(String name, List<String> command, Path socket, Path log) throws IOException, InterruptedException {
        this.name = name;
        this.command = command;
        this.socket = socket;
        this.log = log;
        this.process = DriverProcess.start(command, ENVIRONMENT, socket, log);
        this.client = new CsiClient(socket, PATIENCE);
    }

    boolean isPeer() {
        return name.equals(PEER);
    }

    CsiClient client() {
        return client;
    }

    /**
     * Begins to make a volume, kills the driver after a while and starts it again; returns whether the answer had come
     * before.
     */
    boolean killedWhileMaking(CreateVolumeRequest request, Duration after) throws IOException, InterruptedException {
        CsiClient first = client;
        CompletableFuture<Volume> call = CompletableFuture.supplyAsync(
                () -> first.create(request),
                task -> Thread.ofPlatform().daemon().start(task));
        Thread.sleep(after);
        boolean answered = call.isDone() && !call.isCompletedExceptionally();
        process.kill();
        first.close();
        process = DriverProcess.start(command, ENVIRONMENT, socket, log);
        client = new CsiClient(socket, PATIENCE);
        return answered;
    }

    /**
     * Makes a volume, in up to 20 tries, since a command that outlived the killed driver may still be working on it.
     */
    Volume finish(CreateVolumeRequest request) throws InterruptedException {
        for (int call = 1; ; call++) {
            try {
                return client.create(request);
            } catch (StatusRuntimeException e) {
                if (call == 20
                        || !List.of("UNAVAILABLE", "ABORTED", "UNKNOWN")
                                .contains(e.getStatus().getCode().name())) {
                    throw e;
                }
                Thread.sleep(1000);
            }
        }
    }

    /** Kills the driver, which is not used any more. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        client.close();
        process.close();
    }

    @Override
    public String toString() {
        return name;
    }
}
