package dev.fairlead.testkit.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Checks that each implementation of a port has a test that inherits the contract of that port and makes this
 * implementation.
 */
public final class ContractPerImplementation extends ArchCondition<JavaClass> {
    private static final Set<String> ROLES =
            Set.of("SnapshotStore", "SnapshotGroups", "VolumeModification", "ContentTransfer", "ContentProbe");

    private final Class<?> port;
    private final Class<?> contract;
    private final List<JavaClass> contractTests = new ArrayList<>();

    public ContractPerImplementation(Class<?> port, Class<?> contract) {
        super("pass %s if they implement %s", contract.getSimpleName(), port.getSimpleName());
        this.port = port;
        this.contract = contract;
    }

    @Override
    public void init(Collection<JavaClass> all) {
        contractTests.clear();
        all.stream()
                .filter(ClassOrigin::isTest)
                .filter(type -> type.isAssignableTo(contract) && !type.isInterface())
                .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
                .forEach(contractTests::add);
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        if (!ClassOrigin.isShipped(type)
                || type.isInterface()
                || type.getModifiers().contains(JavaModifier.ABSTRACT)
                || !type.isAssignableTo(port)) {
            return;
        }
        boolean held = contractTests.stream().anyMatch(test -> isAbout(test, type));
        events.add(new SimpleConditionEvent(
                type,
                held,
                "%s must have a test that implements %s (a class that makes one, named or in the package of %s)"
                        .formatted(type.getName(), contract.getSimpleName(), type.getSimpleName())));
    }

    /**
     * Returns whether a test is about a class: it has the class's name, or it or its outer class uses the class; for a
     * role it is enough that it is in the same package, since a store returns the role.
     */
    private boolean isAbout(JavaClass test, JavaClass type) {
        return ClassOrigin.topLevel(test).getSimpleName().equals(type.getSimpleName() + "Test")
                || uses(test, type)
                || uses(ClassOrigin.topLevel(test), type)
                || (isRole() && test.getPackageName().equals(type.getPackageName()));
    }

    private boolean isRole() {
        return ROLES.contains(port.getSimpleName());
    }

    private static boolean uses(JavaClass test, JavaClass type) {
        return test.getDirectDependenciesFromSelf().stream()
                .anyMatch(dependency -> dependency.getTargetClass().equals(type));
    }
}
