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
 * One storage host for all suites of a run, and a second for those that ask for it: started when the first asks, or
 * emptied where it runs already, and left running or not as it was found. Each test has a parent dataset of its own on
 * each, and finds neither targets nor shares.
 */
final class StorageExtension implements BeforeAllCallback, AfterEachCallback, ParameterResolver {
    private static final Duration COLD_BUILD = Duration.ofMinutes(60);
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(StorageExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        loan(context, Which.FIRST);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == StorageHost.class;
    }

    private enum Which {
        FIRST,
        SECOND
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Which which = parameter.isAnnotated(SecondHost.class) ? Which.SECOND : Which.FIRST;
        return context.getStore(STORE)
                .getOrComputeIfAbsent(which, it -> loan(context, it).forOneTest(), StorageHost.class);
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        for (Which which : Which.values()) {
            Optional<StorageHost> used =
                    Optional.ofNullable(context.getStore(STORE).remove(which, StorageHost.class));
            if (used.isPresent()) {
                used.get().tidy();
            }
        }
    }

    private static Loan loan(ExtensionContext context, Which which) {
        LabCommand first = new LabCommand("storage");
        return context.getRoot()
                .getStore(STORE)
                .getOrComputeIfAbsent(
                        which + " of this run",
                        _ -> switch (which) {
                            case FIRST -> Loan.take(first);
                            case SECOND -> Loan.beside(first);
                        },
                        Loan.class);
    }

    /** The host, and whether ending it is up to us. */
    private record Loan(LabCommand lab, boolean started, AtomicInteger tests) implements AutoCloseable {
        static Loan beside(LabCommand first) {
            try {
                return take(StorageHost.beside(first));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        static Loan take(LabCommand lab) {
            try {
                boolean running =
                        lab.end(Duration.ofMinutes(1), "", List.of("status")).code() == 0;
                // A run that was cut short has left what its last test had made.
                lab.run(COLD_BUILD, "", List.of(running ? "reset" : "up"));
                return new Loan(lab, !running, new AtomicInteger());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        StorageHost forOneTest() {
            try {
                return StorageHost.withParent(lab, "tank/t" + tests.incrementAndGet());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            if (started) {
                lab.run(Duration.ofMinutes(2), "", List.of("down"));
            }
        }
    }
}
