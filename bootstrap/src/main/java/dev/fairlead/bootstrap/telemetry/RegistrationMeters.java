package dev.fairlead.bootstrap.telemetry;

import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.adapter.grpc.GrpcServer.RegistrationState;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.function.Supplier;

/** Shows whether kubelet has registered a driver, and how often it refused to. */
record RegistrationMeters(String driver, Supplier<List<GrpcServer.Registration>> all) implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("fairlead.kubelet.registered", () -> isRegistered() ? 1 : 0)
                .description("1 if kubelet has registered the driver")
                .tag("driver_name", driver)
                .register(registry);
        FunctionCounter.builder("fairlead.kubelet.registration.refusals", this, RegistrationMeters::refusals)
                .description("How often kubelet has refused to register the driver")
                .tag("driver_name", driver)
                .register(registry);
    }

    private boolean isRegistered() {
        return all.get().stream()
                .anyMatch(one -> one.driver().equals(driver) && one.state() == RegistrationState.REGISTERED);
    }

    private long refusals() {
        return all.get().stream()
                .filter(one -> one.driver().equals(driver))
                .mapToLong(GrpcServer.Registration::refusals)
                .sum();
    }
}
