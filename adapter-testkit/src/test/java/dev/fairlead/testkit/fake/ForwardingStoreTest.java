package dev.fairlead.testkit.fake;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.fairlead.application.port.out.store.VolumeStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForwardingStoreTest {
    static Stream<Method> methods() {
        return Arrays.stream(VolumeStore.class.getDeclaredMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic());
    }

    /** The port answers for a store that lacks a method; of one that is wrapped, that would hide what it can do. */
    @ParameterizedTest
    @MethodSource("methods")
    void no_method_is_left_to_what_the_port_answers_by_itself(Method method) {
        assertThatCode(() -> ForwardingStore.class.getDeclaredMethod(method.getName(), method.getParameterTypes()))
                .doesNotThrowAnyException();
    }
}
