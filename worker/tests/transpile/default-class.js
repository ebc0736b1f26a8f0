export default class extends Base {}
