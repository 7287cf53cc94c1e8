package dev.fairlead.testkit.rules;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.regex.Pattern;

/** Checks that a name says what a class is, not how it came about. */
public final class TellingName extends ArchCondition<JavaClass> {
    private static final Pattern EMPTY = Pattern.compile(".*(Util|Utils|Helper|Helpers|Manager|Impl)");
    private static final Pattern SUPER = Pattern.compile("(Abstract|Base)[A-Z].*|.*Base");

    public TellingName() {
        super("have a name that says what they are");
    }

    /**
     * Checks the name; {@code Base} is refused for the base of a class hierarchy, and allowed for that of something
     * else.
     */
    @Override
    public void check(JavaClass type, ConditionEvents events) {
        String name = type.getSimpleName();
        boolean isSuper = type.getModifiers().contains(JavaModifier.ABSTRACT)
                && SUPER.matcher(name).matches();
        boolean telling = !EMPTY.matcher(name).matches() && !name.startsWith("Abstract") && !isSuper;
        events.add(new SimpleConditionEvent(type, telling, type.getName() + " has a name that says nothing"));
    }
}
