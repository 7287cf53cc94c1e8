package dev.fairlead.adapter.freenas.service;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fairlead.adapter.freenas.nfs.NfsSubject;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.simulator.profile.Profile;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An exporter is held to its contracts while the service that it needs is watched. */
class CheckedExporterTest extends NfsSubject {
    CheckedExporterTest() {
        super(Profile.V25_10);
    }

    static Stream<Method> methods() {
        return Arrays.stream(Exporter.class.getDeclaredMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic());
    }

    /** The port answers for an exporter that lacks a method; of one that is wrapped, that would hide what it can do. */
    @ParameterizedTest
    @MethodSource("methods")
    void no_method_is_left_to_what_the_port_answers_by_itself(Method method) {
        assertThatCode(() -> CheckedExporter.class.getDeclaredMethod(method.getName(), method.getParameterTypes()))
                .doesNotThrowAnyException();
    }

    @Override
    public Exporter exporter() {
        return new CheckedExporter(
                super.exporter(), new ServiceWatch(box().client().get(), BoxService.NFS, new MonotonicClock()));
    }
}
