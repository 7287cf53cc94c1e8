package dev.fairlead.bootstrap.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Measures this process and its JVM, under the names that every Prometheus client has.
 *
 * <p>Micrometer's own binders for the same load most of the JVM's management classes, which takes four megabytes on
 * every node.
 */
record ProcessMeters(String version) implements MeterBinder {
    private static final ProcFiles PROC = ProcFiles.ofThisProcess();

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("fairlead.build.info", () -> 1)
                .description("1, with what is running")
                .tag("version", version)
                .tag("java_version", Runtime.version().toString())
                .register(registry);
        process(registry);
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory(registry, "heap", memory::getHeapMemoryUsage);
        memory(registry, "nonheap", memory::getNonHeapMemoryUsage);
        ManagementFactory.getGarbageCollectorMXBeans().forEach(collector -> collections(registry, collector));
    }

    private static void process(MeterRegistry registry) {
        gauge(
                registry,
                "process.resident.memory",
                "Memory of this process that is in use",
                "bytes",
                PROC::residentBytes);
        gauge(registry, "process.threads", "Threads of the system", "", PROC::threads);
        gauge(registry, "process.open.fds", "Open files and sockets", "", PROC::openFiles);
        ProcessHandle.Info info = ProcessHandle.current().info();
        double start = info.startInstant().map(Instant::toEpochMilli).orElse(0L) / 1000.0;
        gauge(registry, "process.start.time", "When the process began, in seconds since 1970", "seconds", () -> start);
        FunctionCounter.builder("process.cpu", ProcessHandle.current(), ProcessMeters::cpuSeconds)
                .description("Time on a processor")
                .baseUnit("seconds")
                .register(registry);
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0;
    }

    private static void gauge(
            MeterRegistry registry, String name, String description, String unit, Supplier<Number> value) {
        Gauge.Builder<?> gauge = Gauge.builder(name, value).description(description);
        (unit.isEmpty() ? gauge : gauge.baseUnit(unit)).register(registry);
    }

    private static void memory(MeterRegistry registry, String area, Supplier<MemoryUsage> usage) {
        memory(registry, "used", "Memory of the JVM that is used", area, usage, MemoryUsage::getUsed);
        memory(
                registry,
                "committed",
                "Memory of the JVM that it has from the system",
                area,
                usage,
                MemoryUsage::getCommitted);
        memory(registry, "max", "Memory that the JVM may have; -1 without bound", area, usage, MemoryUsage::getMax);
    }

    private static void memory(
            MeterRegistry registry,
            String what,
            String description,
            String area,
            Supplier<MemoryUsage> usage,
            ToDoubleFunction<MemoryUsage> value) {
        Gauge.builder("jvm.memory." + what, () -> value.applyAsDouble(usage.get()))
                .description(description)
                .baseUnit("bytes")
                .tag("area", area)
                .register(registry);
    }

    private static void collections(MeterRegistry registry, GarbageCollectorMXBean collector) {
        FunctionTimer.builder(
                        "jvm.gc.collection",
                        collector,
                        GarbageCollectorMXBean::getCollectionCount,
                        GarbageCollectorMXBean::getCollectionTime,
                        TimeUnit.MILLISECONDS)
                .description("Collections of garbage")
                .tag("gc", collector.getName())
                .register(registry);
    }
}
