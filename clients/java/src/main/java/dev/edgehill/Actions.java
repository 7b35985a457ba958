package dev.edgehill;

import dev.edgehill.v1.Action;
import dev.edgehill.v1.ActionDef;
import dev.edgehill.v1.ActionList;
import dev.edgehill.v1.ActionStructure;
import dev.edgehill.v1.LegalAction;
import java.util.Arrays;
import java.util.List;

/**
 * Actions, from whichever form is at hand: ids, entries of lists and of the action table, notations, a line, structures.
 *
 * <p>{@link IllegalArgumentException} is thrown for ids below zero.
 */
public final class Actions {
    private Actions() {}

    /** Returns one action by its id, its place in the action table. */
    public static ActionList id(int id) {
        return ids(List.of(id));
    }

    /** Returns actions by their ids, in the order in which they are taken. */
    public static ActionList ids(List<Integer> ids) {
        ids.forEach(Actions::checkedId);
        return ActionList.newBuilder()
                .setIds(ActionList.Ids.newBuilder().addAllValues(ids))
                .build();
    }

    /** Returns actions that were listed as legal. */
    public static ActionList of(LegalAction... actions) {
        return ids(Arrays.stream(actions).map(LegalAction::getId).toList());
    }

    /** Returns actions by their entries of the action table. */
    public static ActionList of(ActionDef... actions) {
        return ids(Arrays.stream(actions).map(ActionDef::getId).toList());
    }

    /** Returns actions by verb and references. */
    public static ActionList of(ActionStructure... actions) {
        return ActionList.newBuilder()
                .setStructures(ActionList.Structures.newBuilder().addAllValues(Arrays.asList(actions)))
                .build();
    }

    /** Returns the actions of a line, which is read by the game's own grammar, such as {@code card fife; done}. */
    public static ActionList line(String line) {
        return ActionList.newBuilder().setLine(line).build();
    }

    /** Returns actions by their notations, one text an action. */
    public static ActionList notations(String... notations) {
        return ActionList.newBuilder()
                .setNotations(ActionList.Notations.newBuilder().addAllValues(Arrays.asList(notations)))
                .build();
    }

    /** Returns one action by its id, to be explained. */
    public static Action action(int id) {
        return Action.newBuilder().setId(checkedId(id)).build();
    }

    /** Returns one action that was listed as legal, to be explained. */
    public static Action action(LegalAction action) {
        return action(action.getId());
    }

    /** Returns one action by its notation, to be explained. */
    public static Action action(String notation) {
        return Action.newBuilder().setNotation(notation).build();
    }

    /** Returns one action by verb and references, to be explained. */
    public static Action action(ActionStructure action) {
        return Action.newBuilder().setStructure(action).build();
    }

    private static int checkedId(int id) {
        if (id < 0) {
            throw new IllegalArgumentException("an action's id is a place in the action table, from 0; found " + id);
        }
        return id;
    }
}
