package dev.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.testkit.contract.StoreSubject;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Runs the tests that a contract gives, each on a new subject, and answers which of them failed. */
final class ContractRun {
    private ContractRun() {}

    static <S extends StoreSubject> List<String> failures(Supplier<S> subjects) {
        List<String> failed = new ArrayList<>();
        List<Method> tests = Stream.of(subjects.get().getClass().getMethods())
                .filter(method ->
                        method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(RepeatedTest.class))
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        assertThat(tests).hasSizeGreaterThan(20);
        for (Method test : tests) {
            S subject = subjects.get();
            if (!passes(test, subject)) {
                failed.add(test.getName());
            }
        }
        return failed;
    }

    private static boolean passes(Method test, StoreSubject subject) {
        try {
            test.setAccessible(true);
            test.invoke(subject);
            subject.everything_can_be_deleted_without_a_trace();
            return true;
        } catch (InvocationTargetException | AssertionError e) {
            return false;
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
