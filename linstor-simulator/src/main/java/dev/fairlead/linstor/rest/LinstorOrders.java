package dev.fairlead.linstor.rest;

import dev.fairlead.linstor.answer.LinstorAnswer;

/** Carries out orders to the simulator itself, each an object of JSON. */
@FunctionalInterface
public interface LinstorOrders {
    LinstorAnswer carryOut(String order);
}
