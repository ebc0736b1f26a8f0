@registered export default class extends Base {}
