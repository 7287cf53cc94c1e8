package dev.fairlead.domain.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailureTest {
    @Test
    void each_failure_has_a_code_of_its_own() {
        assertThat(all()).hasSizeGreaterThan(20).extracting(Failure::code).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("all")
    void codes_have_one_form_and_messages_say_what_is_known(Failure failure) {
        assertThat(failure.code()).matches("FL-[A-Z]{2,4}-\\d{3}");
        assertThat(failure.message()).contains("something").doesNotContain("Failure");
        assertThat(new StorageException(failure)).hasMessage(failure.code() + " " + failure.message());
    }

    static List<Failure> all() {
        return Arrays.stream(Failure.class.getPermittedSubclasses())
                .map(FailureTest::filled)
                .toList();
    }

    private static Failure filled(Class<?> type) {
        try {
            RecordComponent[] components = type.getRecordComponents();
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return (Failure) constructor.newInstance(Arrays.stream(components)
                    .map(component -> filler(component.getType()))
                    .toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be made", e);
        }
    }

    private static Object filler(Class<?> type) {
        if (type == String.class) {
            return "something";
        }
        return type == List.class ? List.of("something") : Duration.ofSeconds(2);
    }
}
