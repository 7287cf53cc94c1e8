package dev.fairlead.linux;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.fairlead.testkit.rules.LibraryRules;

@AnalyzeClasses(packages = "dev.fairlead.linux")
class ArchitectureTest {
    @ArchTest
    static final ArchTests library = ArchTests.in(LibraryRules.class);
}
