package dev.fairlead.testkit.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

/** Checks that the package of a class is {@code @NullMarked}. */
public final class NullMarkedPackage extends ArchCondition<JavaClass> {
    public NullMarkedPackage() {
        super("be in a package that is @NullMarked");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        boolean marked = type.getPackage()
                .tryGetPackageInfo()
                .map(info -> info.isAnnotatedWith(NullMarked.class))
                .orElse(false);
        events.add(new SimpleConditionEvent(
                type, marked, type.getPackageName() + " must have a package-info.java with @NullMarked"));
    }
}
