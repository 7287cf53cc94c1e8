package dev.fairlead.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One running cluster for all suites of a run: started when the first asks, left as it was found. */
final class ClusterExtension implements BeforeAllCallback, ParameterResolver {
    private static final Duration COLD_BUILD = Duration.ofMinutes(40);
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(ClusterExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        Needs.root();
        cluster(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == KubeCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return cluster(context);
    }

    private static KubeCluster cluster(ExtensionContext context) {
        return context.getRoot()
                .getStore(STORE)
                .getOrComputeIfAbsent(Loan.class, any -> Loan.take(), Loan.class)
                .cluster();
    }

    /** The cluster, and whether ending it is up to us. */
    private record Loan(KubeCluster cluster, boolean started) implements AutoCloseable {
        static Loan take() {
            KubeCluster cluster = new KubeCluster();
            try {
                boolean running = cluster.isUp();
                if (!running) {
                    cluster.lab(COLD_BUILD, "up");
                }
                return new Loan(cluster, !running);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            if (started) {
                cluster.lab(Duration.ofMinutes(2), "down");
            }
        }
    }
}
