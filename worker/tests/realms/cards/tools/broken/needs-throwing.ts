import './throws-at-import';

export default class NeverTool {}
