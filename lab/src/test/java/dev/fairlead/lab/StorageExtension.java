package dev.fairlead.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One storage host for all suites of a run: started when the first asks, or emptied where it runs already, and left
 * running or not as it was found. Each test has a parent dataset of its own, and finds neither targets nor shares.
 */
final class StorageExtension implements BeforeAllCallback, AfterEachCallback, ParameterResolver {
    private static final Duration COLD_BUILD = Duration.ofMinutes(60);
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(StorageExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        loan(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == StorageHost.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(STORE)
                .getOrComputeIfAbsent(StorageHost.class, _ -> loan(context).forOneTest(), StorageHost.class);
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        Optional<StorageHost> used =
                Optional.ofNullable(context.getStore(STORE).remove(StorageHost.class, StorageHost.class));
        if (used.isPresent()) {
            used.get().tidy();
        }
    }

    private static Loan loan(ExtensionContext context) {
        return context.getRoot().getStore(STORE).getOrComputeIfAbsent(Loan.class, _ -> Loan.take(), Loan.class);
    }

    /** The host, and whether ending it is up to us. */
    private record Loan(boolean started, AtomicInteger tests) implements AutoCloseable {
        private static final LabCommand STORAGE = new LabCommand("storage");

        static Loan take() {
            try {
                boolean running = STORAGE.end(Duration.ofMinutes(1), "", List.of("status"))
                                .code()
                        == 0;
                // A run that was cut short has left what its last test had made.
                STORAGE.run(COLD_BUILD, "", List.of(running ? "reset" : "up"));
                return new Loan(!running, new AtomicInteger());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        StorageHost forOneTest() {
            try {
                return StorageHost.withParent("tank/t" + tests.incrementAndGet());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            if (started) {
                STORAGE.run(Duration.ofMinutes(2), "", List.of("down"));
            }
        }
    }
}
