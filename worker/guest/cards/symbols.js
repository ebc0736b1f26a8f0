// The keys under which Boxel's card classes carry what is not a field. Registered symbols are shared with any
// module that asks for them by name.

export const primitive = Symbol('cardstack-primitive');
export const isField = Symbol('cardstack-field');
export const isSpec = Symbol('is-spec');
export const fields = Symbol.for('cardstack-fields');
export const fieldsUntracked = Symbol.for('cardstack-fields-untracked');
export const fieldSerializer = Symbol.for('cardstack-field-serializer');
export const getMenuItems = Symbol.for('cardstack-get-menu-items');
export const isBaseInstance = Symbol.for('isBaseInstance');
export const isSavedInstance = Symbol.for('cardstack-is-saved-instance');
export const localId = Symbol.for('cardstack-local-id');
export const meta = Symbol.for('cardstack-meta');
export const realmURL = Symbol.for('cardstack-realm-url');
export const realmContext = Symbol.for('cardstack-realm-context');
export const relativeTo = Symbol.for('cardstack-relative-to');
export const useIndexBasedKey = Symbol.for('cardstack-use-index-based-key');
export const fieldDecorator = Symbol.for('cardstack-field-decorator');
export const queryableValue = Symbol.for('cardstack-queryable-value');
export const formatQuery = Symbol.for('cardstack-format-query');
export const realmInfo = Symbol.for('cardstack-realm-info');
export const emptyValue = Symbol.for('cardstack-empty-value');
export const serialize = Symbol.for('cardstack-serialize');
export const deserialize = Symbol.for('cardstack-deserialize');
export const toolContextStamp = Symbol.for('CommandContext');
